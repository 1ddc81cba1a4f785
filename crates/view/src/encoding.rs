//! Messages as bytes: in postcard's form, whose code is a third of JSON's in a module that every visitor loads.
//!
//! It knows no names of fields, so messages must not use serde's `tag`, `flatten`, `untagged`, `default` or
//! `skip_serializing_if`. What belongs to a scenario uses them: such fields travel as JSON text, by [`json`].

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

/// A message's bytes.
///
/// # Errors
///
/// When a value has no such form, in words.
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, String> {
    postcard::to_allocvec(message).map_err(|error| error.to_string())
}

/// The message that these bytes are; all of them must be used.
///
/// # Errors
///
/// When they are no message, in words.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Ok(message),
        Ok((_, rest)) => Err(format!("{} bytes follow the message", rest.len())),
        Err(error) => Err(error.to_string()),
    }
}

/// A message within a message, which only those decode that it is for: a worker of fabrics carries no code for hosts' messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nested<T> {
    bytes: Vec<u8>,
    of: PhantomData<T>,
}

impl<T: Serialize> Nested<T> {
    /// Encodes a message; one that has no encoding becomes an empty one, which [`open`](Nested::open) refuses.
    pub fn of(message: &T) -> Nested<T> {
        Nested {
            bytes: encode(message).unwrap_or_default(),
            of: PhantomData,
        }
    }
}

impl<T: DeserializeOwned> Nested<T> {
    /// The message.
    ///
    /// # Errors
    ///
    /// As [`decode`].
    pub fn open(&self) -> Result<T, String> {
        decode(&self.bytes)
    }
}

/// For fields of messages: a value as JSON text.
pub mod json {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes it.
    ///
    /// # Errors
    ///
    /// When the value has no JSON form.
    pub fn serialize<T: Serialize, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        let text = serde_json::to_string(value).map_err(S::Error::custom)?;
        to.serialize_str(&text)
    }

    /// Reads it.
    ///
    /// # Errors
    ///
    /// When the text is no such value.
    pub fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        let text = String::deserialize(from)?;
        serde_json::from_str(&text).map_err(D::Error::custom)
    }
}

/// For fields of messages: a fault without its time, in the form that scenarios have faults in, whose code is there anyway.
pub mod fault {
    use scenario::{Fault, FaultKind, Time};
    use serde::{Deserializer, Serializer};

    /// Writes it.
    ///
    /// # Errors
    ///
    /// Never, as every fault has a JSON form.
    pub fn serialize<S: Serializer>(what: &FaultKind, to: S) -> Result<S::Ok, S::Error> {
        let fault = Fault {
            at: Time(0),
            what: what.clone(),
        };
        super::json::serialize(&fault, to)
    }

    /// Reads it.
    ///
    /// # Errors
    ///
    /// When the text is no fault.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<FaultKind, D::Error> {
        super::json::deserialize(from).map(|fault: Fault| fault.what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_message_are_refused() {
        assert_eq!(
            decode::<(u32, bool)>(&encode(&(300u32, true)).unwrap()),
            Ok((300, true))
        );
        assert_eq!(
            decode::<u8>(&[7, 9, 9]),
            Err("2 bytes follow the message".to_owned())
        );
        assert!(decode::<String>(&[200, 1, b'a']).is_err(), "too short");
        assert!(decode::<bool>(&[2]).is_err(), "no bool");
    }

    #[test]
    fn a_nested_message_is_opened_by_whom_it_is_for() {
        let nested = Nested::of(&(7u8, "x".to_owned()));
        let arrived: Nested<(u8, String)> = decode(&encode(&nested).unwrap()).unwrap();
        assert_eq!(arrived.open(), Ok((7, "x".to_owned())));
        assert!(Nested::of(&f64::NAN).open().unwrap().is_nan());
        let empty: Nested<u8> = decode(&[0]).unwrap();
        assert!(empty.open().is_err());
    }
}
