//! Bytes in JSON.

/// Bytes of a line or a path. With the feature `serde` a JSON string if they are UTF-8,
/// else base64.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(pub Vec<u8>);

#[cfg(feature = "serde")]
mod json {
    use super::Text;
    use base64::Engine as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl Serialize for Text {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeMap as _;
            if let Ok(text) = std::str::from_utf8(&self.0) {
                return serializer.serialize_str(text);
            }
            let mut map = serializer.serialize_map(Some(1))?;
            let encoded = base64::engine::general_purpose::STANDARD.encode(&self.0);
            map.serialize_entry("base64", &encoded)?;
            map.end()
        }
    }

    impl<'de> Deserialize<'de> for Text {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            use serde::de::Error as _;

            #[derive(Deserialize)]
            #[serde(untagged)]
            enum Form {
                Plain(String),
                Encoded { base64: String },
            }
            match Form::deserialize(deserializer)? {
                Form::Plain(text) => Ok(Self(text.into_bytes())),
                Form::Encoded { base64 } => base64::engine::general_purpose::STANDARD
                    .decode(base64)
                    .map(Self)
                    .map_err(D::Error::custom),
            }
        }
    }
}
