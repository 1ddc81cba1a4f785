//! The forms in which elements of `traffic` and `faults` are read from JSON.
//!
//! Each form has the fields of all kinds, read with their own types as they come, so that an error in one is
//! reported at that field with its line and column. (An internally tagged enum would be buffered first, and
//! errors would carry the place of the whole object; and `deny_unknown_fields` does not work with `flatten`.)

mod faults;
mod traffic;

pub(crate) use faults::FaultForm;
pub(crate) use traffic::TrafficForm;

use std::fmt;

/// A field that a kind needs is absent, or one is there that the kind does not have.
#[derive(Debug)]
pub(crate) enum FormError {
    Missing {
        kind: &'static str,
        field: &'static str,
    },
    Foreign {
        kind: &'static str,
        field: &'static str,
        fields: &'static [&'static str],
    },
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { kind, field } => write!(f, "missing field `{field}`, which {kind:?} needs"),
            Self::Foreign { kind, field, fields } => write!(
                f,
                "field `{field}` does not belong to {kind:?}, which has {}",
                fields.join(", ")
            ),
        }
    }
}

/// One kind's name and its fields.
struct Kind {
    name: &'static str,
    fields: &'static [&'static str],
}

impl Kind {
    fn needs<T>(&self, field: &'static str, value: Option<T>) -> Result<T, FormError> {
        value.ok_or(FormError::Missing {
            kind: self.name,
            field,
        })
    }

    /// Refuses the first field that is there and not among the kind's.
    fn admits(&self, there: impl IntoIterator<Item = &'static str>) -> Result<(), FormError> {
        match there.into_iter().find(|field| !self.fields.contains(field)) {
            Some(field) => Err(FormError::Foreign {
                kind: self.name,
                field,
                fields: self.fields,
            }),
            None => Ok(()),
        }
    }
}

/// A form: the tag, and each kind's fields as options.
macro_rules! form {
    ($(#[$doc:meta])* $name:ident { $($required:ident: $needed:ty,)* ; $($field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            $($required: $needed,)*
            $($field: Option<$type>,)*
        }

        impl $name {
            /// The names of the optional fields that are there.
            fn there(&self) -> impl Iterator<Item = &'static str> + use<> {
                [$(self.$field.is_some().then_some(stringify!($field))),*]
                    .into_iter()
                    .flatten()
            }
        }
    };
}
use form;
