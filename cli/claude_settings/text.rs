//! The text of Claude's settings, with rules more than before. Pure.
//!
//! Owns where in the text a rule goes: behind the last one, in the layout of the file. Every other letter stays where it was.
//! What comes out is read again and must say what it said before, and the rules; what is not understood is not changed.

use std::ops::Range;

use codec::json::{Json, Kind, Object, Text};

use crate::source::Source;
use crate::trusted::LONGEST;

/// Where the rules are: the members that lead to their list.
const NAMES: [&str; 2] = ["permissions", "allow"];

/// The text with those rules that are not there yet; nothing if all of them are. The error says what is wrong, and where.
pub(super) fn with_rules(source: Source<'_>, rules: &[String]) -> Result<Option<String>, String> {
    let text = source.text;
    if text.trim().is_empty() {
        return Ok(Some(format!("{}\n", Layout::of("{}").value(&NAMES, rules, "", true))));
    }
    let found = Found::read(source)?;
    let is_new = |rule: &&String| !found.rules.iter().any(|there| there.is(rule));
    let mut new: Vec<String> = Vec::new();
    for rule in rules.iter().filter(is_new) {
        if !new.contains(rule) {
            new.push(rule.clone());
        }
    }
    if new.is_empty() {
        return Ok(None);
    }
    let changed = Layout::of(text).appended(text, &found.container, found.missing, &new);
    if changed.len() as u64 > LONGEST {
        return Err(source.wrong(None, &format!("it would be longer than {} MiB", LONGEST >> 20)));
    }
    // Whatever was overlooked above: such a file stays as it is.
    if says(&changed, &new).is_some_and(|now| says(text, &[]) == Some(now)) {
        return Ok(Some(changed));
    }
    Err(source.wrong(Some(found.container.span.start), "it is written in a way that only you can change"))
}

/// What there is of the way to the rules.
struct Found<'t> {
    /// the innermost that is there
    container: Container,
    /// the members that are missing below it
    missing: &'static [&'static str],
    rules: Vec<Text<'t>>,
}

/// A list or an object, and where it stands.
struct Container {
    /// its bytes, brackets included
    span: Range<usize>,
    /// where its first value begins
    first: Option<usize>,
    /// the last value of it
    last: Option<Range<usize>>,
}

impl<'t> Found<'t> {
    fn read(source: Source<'t>) -> Result<Self, String> {
        let text = source.text;
        let root = Object::parse(text).map_err(|why| source.wrong(None, &why.to_string()))?;
        let whole = text.len() - text.trim_start().len()..text.trim_end().len();
        let [first, second] = NAMES;
        let Some(permissions) = member(source, &root, first)? else {
            return Ok(Self::without(whole, &NAMES, &values(text, &root)));
        };
        let span = place(text, permissions.raw());
        let wrong = |place: &Range<usize>, what: &str| Err(source.wrong(Some(place.start), what));
        let Ok(members) = Object::read(permissions) else {
            return wrong(&span, "permissions must be an object");
        };
        let Some(allow) = member(source, &members, second)? else {
            return Ok(Self::without(span, NAMES.get(1..).unwrap_or_default(), &values(text, &members)));
        };
        let span = place(text, allow.raw());
        let Some(items) = allow.as_list() else {
            return wrong(&span, "permissions.allow must be a list of rules");
        };
        let places: Vec<_> = items.iter().map(|item| place(text, item.raw())).collect();
        if let Some((_, at)) = items.iter().zip(&places).find(|(item, _)| item.kind() != Kind::Text) {
            return wrong(at, "a rule of permissions.allow must be a text");
        }
        let rules = items.iter().filter_map(Json::as_text).map(Text::into_owned).collect();
        Ok(Self { rules, ..Self::without(span, &[], &places) })
    }

    fn without(span: Range<usize>, missing: &'static [&'static str], values: &[Range<usize>]) -> Self {
        let first = values.first().map(|value| value.start);
        Self {
            container: Container { span, first, last: values.last().cloned() },
            missing,
            rules: Vec::new(),
        }
    }
}

/// The member of that name. One that stands there twice nobody can change.
fn member<'t>(source: Source<'_>, object: &Object<'t>, name: &str) -> Result<Option<Json<'t>>, String> {
    object.clone().take(name).map_err(|_| source.wrong(None, &format!("{name} stands there twice")))
}

fn values(text: &str, object: &Object<'_>) -> Vec<Range<usize>> {
    object.iter().map(|(_, value)| place(text, value.raw())).collect()
}

/// Where a part of a text stands in it. Parts that were read keep their text, so they are still in it.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    start..start + part.len()
}

/// How a file is laid out.
struct Layout<'t> {
    /// what ends a row
    end: &'static str,
    /// by how much what is within stands further to the right
    unit: &'t str,
    /// whether what is empty is opened over several rows
    has_rows: bool,
    /// what stands behind a colon, and behind a comma within a row
    gap: &'static str,
}

impl<'t> Layout<'t> {
    fn of(text: &'t str) -> Self {
        let text = text.trim();
        let has_rows = text.contains('\n') || text == "{}";
        let unit =
            text.lines().filter(|row| !row.trim().is_empty()).map(blanks).find(|blanks| !blanks.is_empty());
        Self {
            end: if text.contains("\r\n") { "\r\n" } else { "\n" },
            unit: unit.filter(|unit| unit.len() <= WIDEST_UNIT).unwrap_or("  "),
            has_rows,
            gap: if has_rows || text.contains("\": ") { " " } else { "" },
        }
    }

    /// The text with these rules at the end of what is there.
    fn appended(&self, text: &str, to: &Container, names: &[&str], rules: &[String]) -> String {
        let part = |range: Range<usize>| text.get(range).unwrap_or_default();
        let in_rows = to.first.map_or(self.has_rows, |first| part(to.span.start..first).contains('\n'));
        let Some(last) = &to.last else {
            let new = self.value(names, rules, row_blanks(text, to.span.start), in_rows);
            return format!("{}{new}{}", part(0..to.span.start), part(to.span.end..text.len()));
        };
        let blanks = row_blanks(text, last.start);
        let before = if in_rows { format!(",{}{blanks}", self.end) } else { format!(",{}", self.gap) };
        let new: String =
            self.children(names, rules, blanks, in_rows).iter().map(|new| format!("{before}{new}")).collect();
        format!("{}{new}{}", part(0..last.end), part(last.end..text.len()))
    }

    /// The rules as a list, or in objects with these members around it. Its first row begins with these blanks.
    fn value(&self, names: &[&str], rules: &[String], blanks: &str, in_rows: bool) -> String {
        let within = format!("{blanks}{}", self.unit);
        let children = self.children(names, rules, &within, in_rows);
        let (open, close) = if names.is_empty() { ('[', ']') } else { ('{', '}') };
        if !in_rows {
            return format!("{open}{}{close}", children.join(&format!(",{}", self.gap)));
        }
        let end = self.end;
        let children = children.join(&format!(",{end}{within}"));
        format!("{open}{end}{within}{children}{end}{blanks}{close}")
    }

    fn children(&self, names: &[&str], rules: &[String], blanks: &str, in_rows: bool) -> Vec<String> {
        match names.split_first() {
            None => rules.iter().map(|rule| Text::new(rule).raw().to_owned()).collect(),
            Some((name, names)) => {
                vec![format!("\"{name}\":{}{}", self.gap, self.value(names, rules, blanks, in_rows))]
            }
        }
    }
}

/// More is no layout.
const WIDEST_UNIT: usize = 8;

fn blanks(row: &str) -> &str {
    row.strip_suffix(row.trim_start_matches([' ', '\t'])).unwrap_or_default()
}

/// What the row begins with that a place is on.
fn row_blanks(text: &str, at: usize) -> &str {
    let row = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    blanks(text.get(row..).unwrap_or_default())
}

/// Everything that a file says, in order, without these rules at the end of their list.
fn says(text: &str, new: &[String]) -> Option<(Vec<String>, Vec<String>, Vec<String>)> {
    let [first, second] = NAMES;
    let others = |object: &Object<'_>, name: &str| {
        let others = object.iter().filter(|(own, _)| own != name);
        others.map(|(own, value)| format!("{own}:{}", value.raw())).collect::<Vec<_>>()
    };
    let mut root = Object::parse(text).ok()?;
    let around = others(&root, first);
    let permissions = root.take(first).ok()?;
    let mut permissions = permissions.map_or_else(|| Ok(Object::default()), Object::read).ok()?;
    let beside = others(&permissions, second);
    let allow = permissions.take(second).ok()?.unwrap_or_else(|| Json::of::<[u8]>(&[]));
    let mut rules: Vec<_> = allow.as_list()?.iter().map(|item| item.raw().to_owned()).collect();
    for rule in new.iter().rev() {
        rules.pop().filter(|last| *last == Text::new(rule).raw())?;
    }
    Some((around, beside, rules))
}

#[cfg(test)]
mod tests;
