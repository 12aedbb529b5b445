//! What was asked, and who asked it: the main agent, one of its subagents, or the CLI itself on the side.

use serde_json::Value;

use super::http::Asked;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// the agent that the person speaks with
    Main,
    /// an agent that it started
    Sub,
    /// no tools are offered: titles, topics, quota checks
    Side,
    /// another address than that for messages: counting tokens, looking whether anybody is there
    Other,
}

/// One request, as tests look at it.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) kind: Kind,
    pub(crate) method: String,
    pub(crate) path: String,
    /// names in lower case
    pub(crate) headers: Vec<(String, String)>,
    /// null if it was no JSON
    pub(crate) body: Value,
    /// whether the script had an answer, or none was needed
    pub(crate) scripted: bool,
}

impl Request {
    pub(super) fn new(asked: Asked) -> Self {
        let body = serde_json::from_slice(&asked.body).unwrap_or(Value::Null);
        let mut request = Self {
            kind: Kind::Other,
            method: asked.method,
            path: asked.path,
            headers: asked.headers,
            body,
            scripted: true,
        };
        request.kind = request.classify();
        request
    }

    fn classify(&self) -> Kind {
        let path = self.path.split('?').next().unwrap_or_default();
        if self.method != "POST" || !path.ends_with("/v1/messages") {
            return Kind::Other;
        }
        if self.tools().is_empty() {
            return Kind::Side;
        }
        let by_header = ["x-claude-code-agent-id", "x-claude-code-parent-agent-id"];
        let by_words = ["cc_is_subagent", "You are an agent for Claude Code", "file search specialist"];
        let system = self.system();
        let sub = by_header.iter().any(|name| self.header(name).is_some())
            || by_words.iter().any(|words| system.contains(words));
        if sub { Kind::Sub } else { Kind::Main }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The system prompt, its blocks joined by line feeds.
    pub(crate) fn system(&self) -> String {
        texts(&self.body["system"]).join("\n")
    }

    /// The names of the tools that are offered.
    pub(crate) fn tools(&self) -> Vec<&str> {
        let tools = self.body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
        tools.iter().filter_map(|tool| tool["name"].as_str()).collect()
    }

    /// The words of the last user message, tool results among them.
    pub(crate) fn last_user(&self) -> String {
        self.last_user_content().map(|content| texts(content).join("\n")).unwrap_or_default()
    }

    /// The tool results of the last user message.
    pub(crate) fn last_results(&self) -> Vec<String> {
        self.last_user_content().map(results).unwrap_or_default()
    }

    /// The tool results of the whole conversation.
    pub(crate) fn tool_results(&self) -> Vec<String> {
        self.messages().iter().flat_map(|message| results(&message["content"])).collect()
    }

    /// Whether these words are anywhere in the conversation.
    pub(crate) fn mentions(&self, words: &str) -> bool {
        self.messages().iter().any(|message| texts(&message["content"]).join("\n").contains(words))
    }

    fn messages(&self) -> &[Value] {
        self.body["messages"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    fn last_user_content(&self) -> Option<&Value> {
        self.messages()
            .iter()
            .rev()
            .find(|message| message["role"] == "user")
            .map(|message| &message["content"])
    }
}

fn results(content: &Value) -> Vec<String> {
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    let results = blocks.iter().filter(|block| block["type"] == "tool_result");
    results.map(|block| texts(&block["content"]).join("\n")).collect()
}

fn texts(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => blocks.iter().flat_map(texts).collect(),
        Value::Object(block) if block.get("type").is_some_and(|kind| kind == "tool_result") => {
            texts(block.get("content").unwrap_or(&Value::Null))
        }
        Value::Object(block) => block.get("text").map(texts).unwrap_or_default(),
        _ => Vec::new(),
    }
}
