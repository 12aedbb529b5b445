//! What the agents of a run are called: as the user says, else after their tasks. Pure.

use codec::id::Label;

/// As long as a name may be that is made here: it stands left of all that the agent says.
const LONGEST: usize = 12;

/// Words that say nothing.
const FILLERS: [&str; 12] = ["a", "an", "and", "the", "to", "of", "in", "on", "for", "with", "please", "all"];

/// Names that mean something else where lines are typed, or questions asked.
const TAKEN: [&str; 2] = ["all", "tim"];

/// A name for each of these tasks, all different: the wishes in their order, then what the tasks say.
pub(crate) fn of(wishes: &[String], tasks: &[&str]) -> Result<Vec<Label>, String> {
    if wishes.len() > tasks.len() {
        return Err(format!("{} names (-n) for {} to do", wishes.len(), counted(tasks.len())));
    }
    let mut names: Vec<Label> = Vec::new();
    for wish in wishes {
        let name = Label::new(wish).ok_or_else(|| format!("-n {wish}: {LETTERS}"))?;
        if TAKEN.contains(&name.as_str()) || names.contains(&name) {
            return Err(format!("-n {wish}: the name is taken"));
        }
        names.push(name);
    }
    for task in tasks.iter().skip(wishes.len()) {
        let wish = slug(task);
        let numbered = (2..).map(|number| wish.numbered(number));
        let free = std::iter::once(wish.clone()).chain(numbered).find(|name| !names.contains(name));
        names.extend(free);
    }
    Ok(names)
}

const LETTERS: &str = "a name has the letters a to z, digits and -, at most 32 of them";

fn counted(tasks: usize) -> String {
    if tasks == 1 { "1 thing".to_owned() } else { format!("{tasks} things") }
}

/// The first words that say something, as far as they fit.
fn slug(task: &str) -> Label {
    let task = task.to_lowercase();
    let words = task.split(|letter: char| !letter.is_ascii_alphanumeric());
    let mut name = String::new();
    for word in words.filter(|word| !word.is_empty() && !FILLERS.contains(word) && !TAKEN.contains(word)) {
        let longer = if name.is_empty() { word.to_owned() } else { format!("{name}-{word}") };
        if longer.len() > LONGEST && !name.is_empty() {
            break;
        }
        name = longer;
    }
    name.truncate(LONGEST);
    Label::new(&name).unwrap_or_else(|| Label::from_any("task"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(wishes: &[&str], tasks: &[&str]) -> Result<Vec<String>, String> {
        let wishes: Vec<String> = wishes.iter().map(|&wish| wish.to_owned()).collect();
        Ok(of(&wishes, tasks)?.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn an_agent_is_called_after_its_task_and_no_two_alike() {
        let tasks = [
            "Add retry to the client",
            "add retry again",
            "add retry, please",
            "日本",
            "internationalisation",
        ];
        let expected = ["add-retry", "add-retry-2", "add-retry-3", "task", "internationa"];
        assert_eq!(names(&[], &tasks).unwrap(), expected);
        assert_eq!(names(&[], &["tim", "all", "all of tim"]).unwrap(), ["task", "task-2", "task-3"]);
    }

    #[test]
    fn the_user_may_name_the_first_of_them() {
        assert_eq!(names(&["api"], &["x", "api"]).unwrap(), ["api", "api-2"]);
        assert!(names(&["a", "a"], &["x", "y"]).unwrap_err().contains("taken"));
        assert!(names(&["all"], &["x"]).unwrap_err().contains("taken"));
        assert!(names(&["Über"], &["x"]).unwrap_err().contains("letters a to z"));
        assert!(names(&["a", "b"], &["x"]).unwrap_err().contains("2 names (-n) for 1 thing to do"));
    }
}
