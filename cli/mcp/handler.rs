//! The server: one tool, by which Claude Code asks whether it may use one of its own.
//!
//! Every call is answered with a decision, unless it is taken back. What fails on the way is a decision too: a no.

use std::rc::Rc;
use std::sync::Arc;

use actors::ask::Person as _;
use actors::bridge;
use codec::claude::Decision;
use codec::json::Json;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use tokio::task::JoinSet;

use super::heard::Arguments;
use super::link::Link;
use super::{APPROVAL, SERVER};

/// The server.
pub(super) struct Bridge {
    link: Rc<Link>,
}

impl Bridge {
    pub(super) fn new(link: Rc<Link>) -> Self {
        Self { link }
    }

    /// Asks, as a task of its own: if that fails, somebody is still there to say no.
    async fn decide(&self, arguments: Json<'static>) -> Decision<'static> {
        let mut asking = JoinSet::new();
        asking.spawn_local(ask(Rc::clone(&self.link), arguments));
        match asking.join_next().await {
            Some(Ok(decision)) => decision,
            _ => bridge::lost(),
        }
    }
}

async fn ask(link: Rc<Link>, arguments: Json<'static>) -> Decision<'static> {
    let question = match bridge::question(arguments) {
        Ok(question) => question,
        Err(why) => return bridge::misasked(why),
    };
    match link.client().await {
        Ok(client) => bridge::decision(&question, client.ask(question.clone()).await),
        Err(why) => Decision::deny(&why),
    }
}

impl ServerHandler for Bridge {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(tools).with_server_info(Implementation::new(SERVER, env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![tool()]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != APPROVAL {
            return Err(ErrorData::invalid_params(format!("there is no tool {}", request.name), None));
        }
        let arguments = context.extensions.get::<Arguments>().map(|arguments| arguments.0.clone());
        let arguments = arguments.unwrap_or_else(|| Json::object(|_| {}));
        // Dropping what is asked takes it back.
        let decision = tokio::select! {
            biased;
            () = context.ct.cancelled() => bridge::withdrawn(),
            decision = self.decide(arguments) => decision,
        };
        let text = Json::written(&decision).raw().to_owned();
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

fn tool() -> Tool {
    let member = |kind: &str, about: &str| serde_json::json!({"type": kind, "description": about});
    let members = serde_json::json!({
        "tool_name": member("string", "The tool that would be used"),
        "input": member("object", "What it would be given"),
        "tool_use_id": member("string", "The id of this use"),
    });
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), members);
    schema.insert("required".to_owned(), serde_json::json!(["tool_name", "input"]));
    Tool::new(APPROVAL, "Asks a person whether a tool may be used", Arc::new(schema))
}
