//! The header tree as somebody walks through it: what is open, and where the cursor is.

use super::Bits;
use std::collections::BTreeSet;
use wire::layout::HeaderView;

/// A line of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A header, by its place.
    Header(usize),
    /// A field of a header, by their places.
    Field(usize, usize),
}

impl Item {
    /// Its header's place.
    pub const fn header(self) -> usize {
        match self {
            Item::Header(header) | Item::Field(header, _) => header,
        }
    }

    /// Its bits; none where the headers have no such line.
    pub fn bits(self, headers: &[HeaderView]) -> Option<Bits> {
        let header = headers.get(self.header())?;
        match self {
            Item::Header(_) => Some(Bits::of_header(header)),
            Item::Field(_, field) => header.fields.get(field).map(Bits::of),
        }
    }
}

/// A step of the cursor, as the keys of a tree have it (WAI-ARIA's tree pattern).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The line above.
    Up,
    /// The line below.
    Down,
    /// Closes a header; from a field to its header.
    Left,
    /// Opens a header; from an open one to its first field.
    Right,
    /// The first line.
    First,
    /// The last line.
    Last,
}

/// What is open, and where the cursor is. Headers are known by their names, so that the next packet is open where this one was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    open: BTreeSet<String>,
    at: Option<(String, Option<usize>)>,
}

impl Tree {
    /// A tree in which headers of these names are open.
    pub fn opened(names: &[&str]) -> Tree {
        Tree {
            open: names.iter().map(|&name| name.to_owned()).collect(),
            at: None,
        }
    }

    /// Whether a header is open.
    pub fn is_open(&self, header: &HeaderView) -> bool {
        self.open.contains(header.name)
    }

    /// Opens or closes a header.
    pub fn toggle(&mut self, header: &HeaderView) {
        if !self.open.remove(header.name) {
            self.open.insert(header.name.to_owned());
        }
    }

    /// Where the cursor is, if these headers have that line.
    pub fn cursor(&self, headers: &[HeaderView]) -> Option<Item> {
        let (name, field) = self.at.as_ref()?;
        let place = headers.iter().position(|header| header.name == name)?;
        match *field {
            Some(field) if field < headers[place].fields.len() => Some(Item::Field(place, field)),
            Some(_) => None,
            None => Some(Item::Header(place)),
        }
    }

    /// Puts the cursor on a line; the header of a field opens.
    pub fn point(&mut self, headers: &[HeaderView], item: Item) {
        let Some(header) = headers.get(item.header()) else {
            return;
        };
        let field = match item {
            Item::Header(_) => None,
            Item::Field(_, field) => {
                self.open.insert(header.name.to_owned());
                Some(field)
            }
        };
        self.at = Some((header.name.to_owned(), field));
    }

    /// The lines that are there to be seen, in order.
    pub fn items(&self, headers: &[HeaderView]) -> Vec<Item> {
        let mut items = Vec::new();
        for (place, header) in headers.iter().enumerate() {
            items.push(Item::Header(place));
            if self.is_open(header) {
                items.extend((0..header.fields.len()).map(|field| Item::Field(place, field)));
            }
        }
        items
    }

    /// Moves the cursor; where there is none yet, to the first line.
    pub fn step(&mut self, headers: &[HeaderView], by: Move) {
        let items = self.items(headers);
        let Some(&first) = items.first() else { return };
        let Some(at) = self.cursor(headers) else {
            return self.point(headers, first);
        };
        let place = items.iter().position(|&item| item == at);
        // A field whose header was closed: its header.
        let Some(place) = place else {
            return self.point(headers, Item::Header(at.header()));
        };
        let to = match (by, at) {
            (Move::Up, _) => items[place.saturating_sub(1)],
            (Move::Down, _) => items[(place + 1).min(items.len() - 1)],
            (Move::First, _) => first,
            (Move::Last, _) => items[items.len() - 1],
            (Move::Left, Item::Field(header, _)) => Item::Header(header),
            (Move::Left, Item::Header(header)) => {
                self.open.remove(headers[header].name);
                at
            }
            (Move::Right, Item::Header(header)) if !self.is_open(&headers[header]) => {
                self.open.insert(headers[header].name.to_owned());
                at
            }
            (Move::Right, Item::Header(header)) if !headers[header].fields.is_empty() => {
                Item::Field(header, 0)
            }
            (Move::Right, _) => at,
        };
        self.point(headers, to);
    }

    /// The field that comes next for somebody who asks what the byte at `at` is: the first of its fields, or, where the cursor is
    /// on one of them, the one after it. None for a byte that belongs to no header.
    pub fn field_at(&self, headers: &[HeaderView], byte: usize) -> Option<Item> {
        let fields = fields_of(headers, byte);
        let at = self.cursor(headers);
        let next = fields
            .iter()
            .position(|&field| Some(field) == at)
            .map_or(0, |place| place + 1);
        fields.get(next).or(fields.first()).copied()
    }
}

/// The fields that have bits in the byte at `at`, in order.
pub fn fields_of(headers: &[HeaderView], byte: usize) -> Vec<Item> {
    let mut found = Vec::new();
    for (place, header) in headers.iter().enumerate() {
        if !(header.offset..header.offset + header.len).contains(&byte) {
            continue;
        }
        for (number, field) in header.fields.iter().enumerate() {
            if Bits::of(field).mask(byte) != 0 {
                found.push(Item::Field(place, number));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::layout::FieldView;

    /// Two headers: `A` of two bytes with fields of 4, 6 and 6 bits, `B` of one byte with one field.
    fn headers() -> Vec<HeaderView> {
        let field = |name, bit_offset, bit_len| FieldView {
            name,
            value: String::new(),
            bit_offset,
            bit_len,
            doc: "",
        };
        let header = |name, offset, len, fields| HeaderView {
            name,
            offset,
            len,
            summary: String::new(),
            fields,
        };
        vec![
            header(
                "A",
                0,
                2,
                vec![field("x", 0, 4), field("y", 4, 6), field("z", 10, 6)],
            ),
            header("B", 2, 1, vec![field("w", 16, 8)]),
        ]
    }

    #[test]
    fn the_cursor_walks_over_what_is_open() {
        let headers = headers();
        let mut tree = Tree::default();
        let mut step = |by| {
            tree.step(&headers, by);
            tree.cursor(&headers).unwrap()
        };
        assert_eq!(
            step(Move::Down),
            Item::Header(0),
            "the first step is to the first line"
        );
        assert_eq!(step(Move::Down), Item::Header(1), "A is closed");
        assert_eq!(step(Move::Up), Item::Header(0));
        assert_eq!(step(Move::Right), Item::Header(0), "opens it");
        assert_eq!(step(Move::Right), Item::Field(0, 0));
        assert_eq!(step(Move::Down), Item::Field(0, 1));
        assert_eq!(step(Move::Last), Item::Header(1));
        assert_eq!(step(Move::Up), Item::Field(0, 2));
        assert_eq!(step(Move::Left), Item::Header(0));
        assert_eq!(step(Move::Left), Item::Header(0), "closes it");
        assert_eq!(step(Move::Down), Item::Header(1));
        assert_eq!(step(Move::Down), Item::Header(1), "there is no more");
        assert_eq!(step(Move::First), Item::Header(0));
    }

    #[test]
    fn a_byte_leads_to_its_fields_one_after_the_other() {
        let headers = headers();
        assert_eq!(fields_of(&headers, 1), [Item::Field(0, 1), Item::Field(0, 2)]);
        assert_eq!(fields_of(&headers, 9), []);
        let mut tree = Tree::default();
        let mut seen = Vec::new();
        for _ in 0..3 {
            let item = tree.field_at(&headers, 1).unwrap();
            tree.point(&headers, item);
            seen.push(item);
        }
        assert_eq!(seen, [Item::Field(0, 1), Item::Field(0, 2), Item::Field(0, 1)]);
        assert!(tree.is_open(&headers[0]), "a field that is pointed at is seen");
    }

    #[test]
    fn what_is_open_holds_for_the_next_packet() {
        let headers = headers();
        let mut tree = Tree::opened(&["B"]);
        tree.point(&headers, Item::Field(1, 0));
        let next = &headers[1..];
        assert_eq!(tree.cursor(next), Some(Item::Field(0, 0)));
        assert_eq!(tree.cursor(&headers[..1]), None, "it has no B");
    }
}
