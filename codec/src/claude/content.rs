//! Messages and the blocks they are made of, the same in both directions.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::json::{Field, IntoOwned, Json, Kind, Num, Object, Text, Written, Wrong, record, tagged};

record! {
    /// A message of the conversation.
    struct Message {
        content: Content<'a> = "content",
    }
    lenient {
        role: Text<'a> = "role",
        id: Text<'a> = "id",
        /// `<synthetic>` if Claude Code itself said it
        model: Text<'a> = "model",
        stop_reason: Text<'a> = "stop_reason",
        usage: Object<'a> = "usage",
    }

    /// Text.
    struct TextBlock {
        text: Text<'a> = "text",
    }

    /// Thinking.
    struct ThinkingBlock {
        thinking: Text<'a> = "thinking",
    }

    /// An image.
    struct ImageBlock {
        source: ImageSource<'a> = "source",
    }

    /// Where an image is.
    struct ImageSource {
        kind: Text<'a> = "type",
    }
    lenient {
        media_type: Text<'a> = "media_type",
        data: Text<'a> = "data",
    }

    /// The model wants a tool.
    struct ToolUseBlock {
        id: Text<'a> = "id",
        name: Text<'a> = "name",
        input: Json<'a> = "input",
    }

    /// What came of a tool.
    struct ToolResultBlock {
        tool_use_id: Text<'a> = "tool_use_id",
    }
    lenient {
        /// text, or blocks
        content: Json<'a> = "content",
        is_error: bool = "is_error",
    }
}

tagged! {
    /// One block of a message.
    enum Block by "type" {
        Text(TextBlock) = "text",
        Thinking(ThinkingBlock) = "thinking",
        Image(ImageBlock) = "image",
        ToolUse(ToolUseBlock) = "tool_use",
        ToolResult(ToolResultBlock) = "tool_result",
    }
}

/// The content of a message: one text, or blocks. (The original took a text for a list of letters.)
#[derive(Debug, Clone, PartialEq)]
pub enum Content<'a> {
    /// one text
    Text(Text<'a>),
    /// blocks
    Blocks(Vec<Block<'a>>),
}

impl<'a> Field<'a> for Content<'a> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        if json.kind() == Kind::Text {
            Text::read(json).map(Content::Text)
        } else {
            Vec::read(json).map(Content::Blocks)
        }
    }
}

impl Written for Content<'_> {
    fn write(&self, out: &mut String) {
        match self {
            Content::Text(text) => text.write(out),
            Content::Blocks(blocks) => blocks.write(out),
        }
    }
}

impl IntoOwned for Content<'_> {
    type Owned = Content<'static>;

    fn into_owned(self) -> Content<'static> {
        match self {
            Content::Text(text) => Content::Text(text.into_owned()),
            Content::Blocks(blocks) => Content::Blocks(blocks.into_owned()),
        }
    }
}

impl Content<'_> {
    /// Its text: itself, or its text blocks one below the other.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Content::Text(text) => text.get().into_owned(),
            Content::Blocks(blocks) => {
                let texts = blocks.iter().filter_map(|block| match block {
                    Block::Text(block) => Some(block.text.get().into_owned()),
                    _ => None,
                });
                texts.collect::<Vec<_>>().join("\n")
            }
        }
    }
}

impl ToolResultBlock<'_> {
    /// The text of the result: itself, or its text blocks one below the other.
    #[must_use]
    pub fn text(&self) -> String {
        let content = self.content.clone().and_then(|content| Content::read(content).ok());
        content.map(|content| content.text()).unwrap_or_default()
    }
}

/// The content of a file that is an image the model can see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    media_type: &'static str,
    data: String,
}

/// The file is no PNG, JPEG, GIF or WebP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a PNG, JPEG, GIF or WebP image")]
pub struct UnknownImage;

impl Image {
    /// Takes the bytes of a file; what it is, its first bytes tell and not its name.
    pub fn from_bytes(file: &[u8]) -> Result<Self, UnknownImage> {
        let media_type = media_type(file).ok_or(UnknownImage)?;
        Ok(Self { media_type, data: STANDARD.encode(file) })
    }

    /// The image as a block of a message.
    #[must_use]
    pub fn block(&self) -> Block<'static> {
        let (media_type, data) = (Some(Text::new(self.media_type)), Some(Text::new(&self.data)));
        Block::Image(ImageBlock::of(ImageSource { media_type, data, ..ImageSource::of(Text::new("base64")) }))
    }
}

fn media_type(file: &[u8]) -> Option<&'static str> {
    match file {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// Counts of tokens that an assistant message carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    /// tokens read
    pub input: u64,
    /// tokens written
    pub output: u64,
}

impl Message<'_> {
    /// The token counts, as far as the message gives them.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        let count = |name: &str| {
            let json = self.usage.as_ref().and_then(|usage| usage.peek(name)).cloned();
            json.and_then(|json| Num::read(json).ok()).and_then(|number| number.as_u64()).unwrap_or(0)
        };
        Tokens { input: count("input_tokens"), output: count("output_tokens") }
    }
}
