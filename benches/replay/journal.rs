//! Journals of runs that never were, as the router would have written them: cycle after cycle, with fresh numbers and names.
//!
//! Whether the router of now would really do the same is not believed: the bench lets `--check` say so.

use codec::journal::{Direction, write_wire_line};

/// Whose lines are most of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heavy {
    Agent,
    Tunnel,
}

/// How many clients there are.
const CLIENTS: u64 = 8;

/// A journal that goes on for as long as it is asked.
pub(crate) struct Journal {
    heavy: Heavy,
    seq: u64,
    key: u64,
    cycle: u64,
    line: String,
}

impl Journal {
    /// One, and its first records.
    pub(crate) fn begin(heavy: Heavy, out: &mut String) -> Self {
        let mut journal = Self { heavy, seq: 0, key: 0, cycle: 0, line: String::new() };
        journal.event(out, r#""rec":"run","v":1,"id":"51a","seed":"7","started":"1970-01-01T00:00:00.000Z","writer":"tim 0.1.0","limits":{"each":256,"all":10000,"bytesEach":67108864,"bytesAll":268435456},"role":"run""#);
        journal.event(out, r#""rec":"attach","wire":"terminal""#);
        match heavy {
            Heavy::Agent => journal.event(out, r#""rec":"attach","wire":"claude:main","path":"claude""#),
            Heavy::Tunnel => {
                for client in 1..=CLIENTS {
                    journal.event(out, &format!(r#""rec":"attach","wire":"tunnel:{client}","pid":{client}"#));
                }
            }
        }
        journal
    }

    /// A few records more: a hundred lines that only go through, and one question.
    pub(crate) fn cycle(&mut self, out: &mut String) {
        self.cycle += 1;
        match self.heavy {
            Heavy::Agent => self.agent(out),
            Heavy::Tunnel => self.tunnel(out),
        }
    }

    fn agent(&mut self, out: &mut String) {
        let cycle = self.cycle;
        let prose = r#"I read the tokenizer first.\nThen \"split_line\" keeps the last byte of a file without a final newline — as it should. "#.repeat(4);
        let source = r"    let end = memchr(b'\\n', &self.buf)?;\n    self.take(end)\n".repeat(20);
        for step in 0..33 {
            let id = format!("toolu_{cycle}_{step}");
            self.wire(out, "claude:main", Direction::From, &format!(r#"{{"type":"assistant","message":{{"id":"msg_{cycle}_{step}","type":"message","role":"assistant","model":"m","content":[{{"type":"text","text":"{prose}"}}],"usage":{{"input_tokens":10,"output_tokens":200}}}},"parent_tool_use_id":null,"session_id":"3f0c1a52","uuid":"{id}"}}"#));
            self.wire(out, "claude:main", Direction::From, &format!(r#"{{"type":"assistant","message":{{"id":"msg_{cycle}_{step}","type":"message","role":"assistant","model":"m","content":[{{"type":"tool_use","id":"{id}","name":"Read","input":{{"file_path":"/proj/src/parse.rs","limit":200}}}}]}},"parent_tool_use_id":null,"session_id":"3f0c1a52"}}"#));
            self.wire(out, "claude:main", Direction::From, &format!(r#"{{"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"{id}","type":"tool_result","content":"{source}"}}]}},"parent_tool_use_id":null,"session_id":"3f0c1a52"}}"#));
        }
        self.permission(out);
    }

    fn permission(&mut self, out: &mut String) {
        let (key, id) = (self.fresh_key(), format!("req-{}", self.cycle));
        let input = r#"{"file_path":"/proj/src/parse.rs","content":"fn main() {}"}"#;
        self.wire(out, "claude:main", Direction::From, &format!(r#"{{"type":"control_request","request_id":"{id}","request":{{"subtype":"can_use_tool","tool_name":"Write","input":{input}}}}}"#));
        self.event(out, &format!(r#""rec":"ask","key":"{key}","kind":"permission","wire":"claude:main","path":"claude","requestId":"{id}","tool":{{"name":"Write","input":{input}}}"#));
        self.decided(out, &key, r#"{"allow":true}"#);
        self.wire(out, "claude:main", Direction::To, &format!(r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{id}","response":{{"behavior":"allow","updatedInput":{input}}}}}}}"#));
    }

    fn tunnel(&mut self, out: &mut String) {
        let cycle = self.cycle;
        for step in 0..50 {
            let wire = format!("tunnel:{}", 1 + step % CLIENTS);
            self.wire(out, &wire, Direction::From, &format!(r#"{{"type":"log","args":["step {step} of {cycle}","12 files left, 3 of them \"large\""]}}"#));
            self.wire(out, &wire, Direction::From, &format!(r#"{{"type":"structured","message":{{"type":"tool_result","timestamp":"2026-11-18T06:00:00.000Z","sourceAgent":"review","toolName":"Read","resultSummary":"212 lines of parse.rs, number {step}"}}}}"#));
        }
        let (key, id) = (self.fresh_key(), format!("q{cycle}"));
        let config = r#"{"message":"Which?","choices":[{"name":"a","value":1},{"name":"b","value":"b"}]}"#;
        self.wire(out, "tunnel:3", Direction::From, &format!(r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"{id}","promptType":"select","promptConfig":{config}}}}}"#));
        self.event(out, &format!(r#""rec":"ask","key":"{key}","kind":"select","wire":"tunnel:3","requestId":"{id}","config":{config}"#));
        self.decided(out, &key, r#""b""#);
        self.wire(
            out,
            "tunnel:3",
            Direction::To,
            &format!(r#"{{"type":"prompt_response","requestId":"{id}","value":"b","outcome":"answered"}}"#),
        );
    }

    fn decided(&mut self, out: &mut String, key: &str, value: &str) {
        self.event(out, &format!(r#""rec":"offer","key":"{key}","desk":"terminal""#));
        self.event(out, &format!(r#""rec":"shown","key":"{key}","desk":"terminal""#));
        self.event(out, &format!(r#""rec":"answer","key":"{key}","desk":"terminal","value":{value}"#));
        self.event(
            out,
            &format!(
                r#""rec":"outcome","key":"{key}","outcome":"answered","source":"terminal","value":{value}"#
            ),
        );
    }

    fn fresh_key(&mut self) -> String {
        self.key += 1;
        format!("51a.p{}", self.key)
    }

    fn wire(&mut self, out: &mut String, wire: &str, dir: Direction, line: &str) {
        write_wire_line(&mut self.line, (self.seq, self.cycle * 10), (wire, dir), line.as_bytes(), None);
        self.seq += 1;
        out.push_str(&self.line);
        out.push('\n');
    }

    fn event(&mut self, out: &mut String, members: &str) {
        out.push_str(&format!("{{\"seq\":{},\"t\":{},{members}}}\n", self.seq, self.cycle * 10));
        self.seq += 1;
    }
}
