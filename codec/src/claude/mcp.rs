//! JSON-RPC of the permission tool, as far as a record of it must be understood.

use crate::json::{Field, Json, Object, Text, line, record};
use crate::reject::{Reject, split};

use super::permission::Decision;

record! {
    /// A request, a notification or a reply.
    struct Rpc {}
    lenient {
        id: Json<'a> = "id",
        method: Text<'a> = "method",
        params: Object<'a> = "params",
        result: Object<'a> = "result",
        error: Object<'a> = "error",
    }

    /// The arguments of a call of the permission tool.
    struct ApprovalCall {
        tool_name: Text<'a> = "tool_name",
        input: Json<'a> = "input",
    }
    lenient {
        tool_use_id: Text<'a> = "tool_use_id",
    }
}

impl<'a> Rpc<'a> {
    /// Reads one line.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        Ok(crate::json::Record::from_object(split(line)?)?)
    }

    /// The message as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        line(self)
    }

    /// Whether a message is neither a request, a notification nor a reply.
    #[must_use]
    pub const fn says_nothing(&self) -> bool {
        self.method.is_none() && self.result.is_none() && self.error.is_none()
    }

    /// The question in a call of the permission tool.
    #[must_use]
    pub fn approval_call(&self) -> Option<ApprovalCall<'a>> {
        self.method.as_ref().filter(|method| method.is("tools/call"))?;
        let params = self.params.as_ref()?;
        params.peek("name")?.as_text().filter(|name| name.is("approval_prompt"))?;
        ApprovalCall::read(params.peek("arguments")?.clone()).ok()
    }

    /// The decision in the reply to such a call: one text block that holds JSON.
    #[must_use]
    pub fn decision(&self) -> Option<Decision<'static>> {
        let content = self.result.as_ref()?.peek("content")?.as_list()?;
        let block = Object::read(content.first()?.clone()).ok()?;
        let text = block.peek("text")?.as_text()?.get().into_owned();
        let decision = Decision::read(Json::parse(&text)?).ok()?;
        Some(crate::json::IntoOwned::into_owned(decision))
    }
}
