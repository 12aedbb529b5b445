//! What a tool would do, in words and rows.
//!
//! Owns the picture of a tool's input: a command, a difference, a file, or every member by name. Whatever the picture does
//! not show stands below it as a member, so nothing that is approved is left out but the agent's own words about a command.

use actors::gate::Place;
use actors::question::Tool;
use codec::json::{Json, Object, Text};
use codec::text::visible;

use super::super::super::diff::{self, Line};
use super::super::super::style::{Row, Span, Style};
use super::super::super::wrap::{Breaks, Margin, command, fold, marked};
use crate::pretty;

/// Where the input of a tool names its file.
pub(in super::super) fn file_field(tool: &str) -> Option<&'static str> {
    match tool {
        "Edit" | "MultiEdit" | "Read" | "Write" => Some("file_path"),
        "NotebookEdit" | "NotebookRead" => Some("notebook_path"),
        "Glob" | "Grep" | "LS" => Some("path"),
        _ => None,
    }
}

/// What a tool would do.
#[derive(Debug)]
pub(in super::super) struct Wish {
    /// as the end of a sentence about whoever asks
    pub(in super::super) says: String,
    /// how many lines come and go
    pub(in super::super) lines: Option<(usize, usize)>,
    shown: Vec<Shown>,
    /// nobody could read all of it here, so it is not shown
    pub(in super::super) is_too_long: bool,
}

/// What is longer is not laid out: it would take a person hours, and the service seconds.
const LONGEST_INPUT: usize = 1 << 20;
const MOST_LINES: usize = 20_000;

/// A piece of the picture.
#[derive(Debug)]
enum Shown {
    /// what a person decides about
    Strong(String),
    Same(String),
    Out(String),
    In(String),
    /// a line of a longer text
    Text(String),
    /// a word of ours
    Note(String),
    /// a member of the input
    Member(String, Json<'static>),
}

/// The text of a member, if it is there once and is exactly that text.
pub(in super::super) fn text_of(input: &Object<'_>, name: &str) -> Option<String> {
    let text = input.peek(name).and_then(Json::as_text)?;
    Some(text.get().into_owned()).filter(|text| !text.contains('\u{fffd}'))
}

impl Wish {
    pub(in super::super) fn of(tool: &Tool, place: &Place) -> Self {
        let name = tool.name.get();
        let beside = tool.plan.as_ref().map_or("", Text::raw);
        if is_too_long(tool.input.raw()) || is_too_long(beside) {
            return Self::too_long(&name, tool.input.raw().len() + beside.len());
        }
        let Ok(input) = Object::read(tool.input.clone()) else {
            return Self::unknown(&name, vec![Shown::Member("input".to_owned(), tool.input.clone())]);
        };
        let known = if tool.is_plan() { plan(tool, &input) } else { known(&name, &input, place) };
        let told = known.as_ref().map(|_| told(&name)).unwrap_or_default();
        let mut wish = known.unwrap_or_else(|| Self::unknown(&name, Vec::new()));
        // A member that stands there twice is shown twice, whatever it is.
        let is_told = |name: &str| told.contains(&name) && input.peek(name).is_some();
        let members = input.iter().filter(|(name, _)| !is_told(name));
        wish.shown.extend(
            members.map(|(name, value)| Shown::Member(name.into_owned(), value.clone().into_owned())),
        );
        wish
    }

    /// A tool that only its name tells something about.
    fn unknown(name: &str, mut shown: Vec<Shown>) -> Self {
        let says = if is_for_heading(name) {
            format!("wants to use {name}")
        } else {
            "wants to use a tool".to_owned()
        };
        if !is_for_heading(name) {
            shown.insert(0, Shown::Strong(name.to_owned()));
        }
        Self { says, lines: None, shown, is_too_long: false }
    }

    fn too_long(name: &str, bytes: usize) -> Self {
        let note = format!("{bytes} bytes: too long to be read here, so it cannot be allowed here");
        Self { is_too_long: true, ..Self::unknown(name, vec![Shown::Note(note)]) }
    }

    /// Its rows.
    pub(in super::super) fn rows(&self, columns: usize) -> Vec<Row> {
        self.shown.iter().flat_map(|shown| shown.rows(columns)).collect()
    }
}

fn is_too_long(raw: &str) -> bool {
    raw.len() > LONGEST_INPUT || raw.matches("\\n").take(MOST_LINES + 1).count() > MOST_LINES
}

/// The members that the picture of a known tool shows.
fn told(tool: &str) -> Vec<&'static str> {
    let beside: &[&'static str] = match tool {
        "Bash" => &["command", "description"],
        "Edit" => &["old_string", "new_string", "replace_all"],
        "MultiEdit" => &["edits"],
        "Write" => &["content"],
        "NotebookEdit" => &["new_source"],
        "WebFetch" => &["url"],
        "WebSearch" => &["query"],
        "ExitPlanMode" => &["plan"],
        _ => &[],
    };
    beside.iter().copied().chain(file_field(tool)).collect()
}

/// The picture of a tool, if its input is what such a tool takes.
fn known(name: &str, input: &Object<'_>, place: &Place) -> Option<Wish> {
    let strong = |says: &str, member: &str| {
        let shown = vec![Shown::Strong(text_of(input, member)?)];
        Some(Wish { says: says.to_owned(), lines: None, shown, is_too_long: false })
    };
    match name {
        "Bash" => strong("wants to run a command", "command"),
        "Edit" => edit(&[replaced(input)?], input, place),
        "MultiEdit" => {
            let edits = input.peek("edits").and_then(Json::as_list)?;
            let edits: Option<Vec<_>> =
                edits.into_iter().map(|one| replaced(&Object::read(one).ok()?)).collect();
            edit(&edits?, input, place)
        }
        "Write" => write("wants to write", &text_of(input, "file_path")?, &text_of(input, "content")?, place),
        "NotebookEdit" => {
            write("wants to edit", &text_of(input, "notebook_path")?, &text_of(input, "new_source")?, place)
        }
        "Read" | "NotebookRead" | "LS" | "Glob" | "Grep" => strong("wants to read", file_field(name)?),
        "WebFetch" => strong("wants to fetch a page", "url"),
        "WebSearch" => strong("wants to search the web", "query"),
        _ => None,
    }
}

/// The plan of an agent that only looked so far: in the input, or said beside it.
/// Nothing if what stands there is no text that can be shown exactly: then every member is.
fn plan(tool: &Tool, input: &Object<'_>) -> Option<Wish> {
    let beside = tool.plan.as_ref().map(|plan| plan.get().into_owned());
    let inside = if input.has("plan") { Some(text_of(input, "plan")?) } else { None };
    let shown = match inside.filter(|plan| !plan.trim().is_empty()).or(beside) {
        Some(plan) => plan.trim_end().split('\n').map(|line| Shown::Text(line.to_owned())).collect(),
        None => vec![Shown::Note("it sent no plan along: what it said so far is all there is".to_owned())],
    };
    let says = "has a plan and wants to carry it out".to_owned();
    Some(Wish { says, lines: None, shown, is_too_long: false })
}

fn edit(edits: &[Replaced], input: &Object<'_>, place: &Place) -> Option<Wish> {
    let mut shown = Vec::new();
    let note = |shown: &mut Vec<Shown>, is_so: bool, text: &str| {
        shown.extend(is_so.then(|| Shown::Note(text.to_owned())));
    };
    for (at, one) in edits.iter().enumerate() {
        note(&mut shown, edits.len() > 1, &format!("edit {} of {}", at + 1, edits.len()));
        note(&mut shown, one.is_everywhere, "everywhere in the file");
        note(&mut shown, one.old == one.new, "nothing would change");
        shown.extend(diff::between(&one.old, &one.new).into_iter().map(Shown::from));
    }
    Some(changes("wants to edit", &text_of(input, "file_path")?, shown, place))
}

/// A text that is to be replaced by another.
struct Replaced {
    old: String,
    new: String,
    is_everywhere: bool,
}

/// What is replaced, if nothing else is said beside it.
fn replaced(edit: &Object<'_>) -> Option<Replaced> {
    const KNOWN: [&str; 4] = ["file_path", "old_string", "new_string", "replace_all"];
    let is_everywhere = match edit.has("replace_all") {
        true => edit.peek("replace_all")?.as_flag()?,
        false => false,
    };
    let is_clear = edit.iter().all(|(name, _)| KNOWN.contains(&name.as_ref()));
    is_clear.then_some(())?;
    Some(Replaced { old: text_of(edit, "old_string")?, new: text_of(edit, "new_string")?, is_everywhere })
}

fn write(says: &str, file: &str, content: &str, place: &Place) -> Option<Wish> {
    Some(changes(says, file, diff::all_new(content).into_iter().map(Shown::from).collect(), place))
}

fn changes(says: &str, file: &str, shown: Vec<Shown>, place: &Place) -> Wish {
    let count = |is: fn(&Shown) -> bool| shown.iter().filter(|shown| is(shown)).count();
    let lines = (count(|shown| matches!(shown, Shown::In(_))), count(|shown| matches!(shown, Shown::Out(_))));
    let file = short(file, place);
    let mut wish = Wish { says: format!("{says} {file}"), lines: Some(lines), shown, is_too_long: false };
    if !is_for_heading(&file) {
        wish.says = format!("{says} a file");
        wish.shown.insert(0, Shown::Strong(file));
    }
    wish
}

/// A name that nobody can misread stands in the heading; others need the room and the marks of a command.
fn is_for_heading(file: &str) -> bool {
    let is_plain = file.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    is_plain && file.len() <= LONGEST_IN_HEADING && !file.contains("  ") && file.trim() == file
}

const LONGEST_IN_HEADING: usize = 48;

/// A file of the work by its name from there on.
pub(in super::super) fn short(file: &str, place: &Place) -> String {
    let below = file.strip_prefix(place.root.as_str()).and_then(|rest| rest.strip_prefix('/'));
    let is_plain =
        |rest: &&str| !rest.is_empty() && rest.split('/').all(|name| !matches!(name, "" | "." | ".."));
    below.filter(|_| !place.root.is_empty()).filter(is_plain).unwrap_or(file).to_owned()
}

impl From<Line<'_>> for Shown {
    fn from(line: Line<'_>) -> Self {
        match line {
            Line::Same(text) => Self::Same(text.to_owned()),
            Line::Skipped(count) => Self::Note(format!("… {count} that stay")),
            Line::Out(text) => Self::Out(text.to_owned()),
            Line::In(text) => Self::In(text.to_owned()),
            Line::Note(text) => Self::Note(text.to_owned()),
        }
    }
}

impl Shown {
    fn rows(&self, columns: usize) -> Vec<Row> {
        match self {
            Self::Strong(text) => command(text, Style::BOLD, columns),
            Self::Same(text) => line(Line::Same(""), text, columns),
            Self::Out(text) => line(Line::Out(""), text, columns),
            Self::In(text) => line(Line::In(""), text, columns),
            Self::Text(text) => fold(&code(text, Style::PLAIN), &Margin::blank(4), columns, Breaks::Words),
            Self::Note(text) => {
                fold(&Row::foreign(Style::DIM, text), &Margin::blank(4), columns, Breaks::Words)
            }
            Self::Member(name, value) => member(name, value, columns),
        }
    }
}

/// A line of a file.
fn line(kind: Line<'_>, text: &str, columns: usize) -> Vec<Row> {
    let (sign, style) = kind.look();
    let first = Row::blanks(4).and(Span::own(style, sign));
    let rest = Row::blanks(2).and(Span::own(Style::DIM, "↪   "));
    let row = code(text, style);
    fold(&row, &Margin { first, rest }, columns, Breaks::Edge)
}

/// A line with its indentation as it is, and everything else as in a command.
fn code(text: &str, style: Style) -> Row {
    let code = text.trim_start_matches([' ', '\t']);
    let indent = text.strip_suffix(code).unwrap_or_default().replace('\t', "→   ");
    Row::foreign(Style::DIM, &indent).then(&marked(&visible(code), style))
}

/// A member by its name. A text of several lines has them below, behind a line that no text can draw.
fn member(name: &str, value: &Json<'_>, columns: usize) -> Vec<Row> {
    let text = value.as_text().map(Text::into_owned);
    let text = text.as_ref().map(Text::get).filter(|text| !text.contains('\u{fffd}'));
    match text {
        Some(text) if !text.contains('\n') => {
            command(&format!("{}: {text}", visible(name)), Style::PLAIN, columns)
        }
        Some(text) => below(name, text.split('\n').map(str::to_owned).collect(), columns),
        None => match pretty::rows(value) {
            rows if rows.len() == 1 => {
                command(&format!("{}: {}", visible(name), rows.concat()), Style::PLAIN, columns)
            }
            rows => below(name, rows, columns),
        },
    }
}

fn below(name: &str, lines: Vec<String>, columns: usize) -> Vec<Row> {
    let margin = Margin {
        first: Row::blanks(4).and(Span::own(Style::DIM, "│ ")),
        rest: Row::blanks(2).and(Span::own(Style::DIM, "↪ │ ")),
    };
    let mut rows = command(&format!("{}:", visible(name)), Style::PLAIN, columns);
    for text in lines {
        rows.extend(fold(&code(&text, Style::PLAIN), &margin, columns, Breaks::Edge));
    }
    rows
}
