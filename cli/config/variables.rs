//! What the environment says about the configuration, as a layer.
//!
//! Owns what each `TIM_…` variable may hold. Looks none of them up: they are given. What does not fit is an error that names
//! the variable.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use super::ConfigError;
use super::layer::{Attention, Layer, Origin, Recording, Said};
use crate::duration;
use crate::environment::Environment;

/// What all of them say.
pub(super) fn layer(environment: &Environment) -> Result<Layer, ConfigError> {
    let answer_command = match &environment.answer_command {
        Some(line) => Some(said("TIM_ANSWER_COMMAND", text("TIM_ANSWER_COMMAND", line)?)),
        None => None,
    };
    Ok(Layer {
        answer_command,
        permission_timeout: time(environment, "TIM_PERMISSION_TIMEOUT")?,
        question_timeout: time(environment, "TIM_QUESTION_TIMEOUT")?,
        timeout: time(environment, "TIM_TIMEOUT")?,
        idle_timeout: time(environment, "TIM_IDLE_TIMEOUT")?,
        claude: environment.claude.clone().map(|claude| said("TIM_CLAUDE", claude)),
        model: words(environment, "TIM_MODEL")?,
        terminal_input: switch(environment, "TIM_TERMINAL_INPUT")?,
        journal: environment.journal.as_deref().map(|journal| said("TIM_JOURNAL", recording(journal))),
        journal_folder: folder(environment, "TIM_JOURNAL_FOLDER")?,
        require_journal: switch(environment, "TIM_REQUIRE_JOURNAL")?,
        attention: attention(environment.attention.as_deref())?,
        ..Layer::default()
    })
}

const fn said<T>(name: &'static str, value: T) -> Said<T> {
    Said { value, origin: Origin::Variable(name) }
}

fn recording(journal: &OsStr) -> Recording {
    match journal.to_str() {
        Some("1" | "on") => Recording::On,
        Some("0" | "off") => Recording::Off,
        _ => Recording::File(journal.into()),
    }
}

/// The environment turns it all off, or leaves it as it is written: a variable is nobody's wish to hear a bell.
fn attention(value: Option<&OsStr>) -> Result<Attention, ConfigError> {
    let Some(value) = value else { return Ok(Attention::default()) };
    if is_on("TIM_ATTENTION", value)? {
        return Ok(Attention::default());
    }
    let off = || Some(said("TIM_ATTENTION", false));
    let command = Some(said("TIM_ATTENTION", String::new()));
    Ok(Attention { bell: off(), notify: off(), title: off(), after: None, command })
}

fn is_on(name: &str, value: &OsStr) -> Result<bool, ConfigError> {
    match value.to_str() {
        Some("1" | "on") => Ok(true),
        Some("0" | "off") => Ok(false),
        _ => Err(ConfigError::new(&format!("{name} is on or off, not {}", value.display()))),
    }
}

fn switch(environment: &Environment, name: &'static str) -> Result<Option<Said<bool>>, ConfigError> {
    let value = environment.setting(name);
    value.map(|value| Ok(said(name, is_on(name, value)?))).transpose()
}

fn words(environment: &Environment, name: &'static str) -> Result<Option<Said<String>>, ConfigError> {
    let value = environment.setting(name);
    value.map(|value| Ok(said(name, text(name, value)?))).transpose()
}

fn time(environment: &Environment, name: &'static str) -> Result<Option<Said<Duration>>, ConfigError> {
    let Some(Said { value, origin }) = words(environment, name)? else { return Ok(None) };
    let wrong = |why: String| ConfigError::new(&format!("{name}: {why}"));
    Ok(Some(Said { value: duration::parse(&value).map_err(wrong)?, origin }))
}

fn folder(environment: &Environment, name: &'static str) -> Result<Option<Said<PathBuf>>, ConfigError> {
    let Some(value) = environment.setting(name) else { return Ok(None) };
    let path = PathBuf::from(value);
    match path.is_absolute() {
        true => Ok(Some(said(name, path))),
        false => Err(ConfigError::new(&format!("{name} must be an absolute path, not {}", path.display()))),
    }
}

fn text(name: &str, value: &OsStr) -> Result<String, ConfigError> {
    let text = value.to_str().map(str::to_owned);
    text.ok_or_else(|| ConfigError::new(&format!("{name} is not UTF-8: {}", value.display())))
}
