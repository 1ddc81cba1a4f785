//! Header transpositions: what one table entry does to a packet's headers.

use crate::Address;
use crate::headers::{Encap, Headers, MAX_ENCAPS, Mac};
use thiserror::Error;

/// One header transposition: what is taken off, put on and rewritten. Everything that is left `None` stays as it is.
///
/// Transpositions compose ([`Transposition::then`]), so a whole policy becomes one. In the words of the public GFT interface an
/// encapsulation that is popped while another is pushed is a Modify, a field that stays is an Ignore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transposition {
    /// Encapsulations that are popped, outermost first.
    pub pop: u8,
    /// Encapsulations that are pushed then, outermost first; `None` after the last.
    pub push: [Option<Encap>; MAX_ENCAPS],
    /// New inner source MAC address.
    pub src_mac: Option<Mac>,
    /// New inner destination MAC address.
    pub dst_mac: Option<Mac>,
    /// New innermost source address.
    pub src: Option<Address>,
    /// New innermost destination address.
    pub dst: Option<Address>,
    /// New source port.
    pub src_port: Option<u16>,
    /// New destination port.
    pub dst_port: Option<u16>,
    /// New DSCP of the innermost IP header, 6 bits.
    pub dscp: Option<u8>,
    /// By how much the innermost TTL is decremented.
    pub ttl_decrement: u8,
}

/// Why a transposition can't be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TransposeError {
    /// An encapsulation is to be popped that is not there.
    #[error("there are {present} encapsulations and {popped} are to be popped")]
    NotPresent {
        /// Encapsulations of the packet.
        present: u8,
        /// How many the transposition takes off.
        popped: u8,
    },
    /// More encapsulations than a packet can have.
    #[error("a packet has at most {MAX_ENCAPS} encapsulations")]
    TooMany,
    /// The packet has come to the end of its life.
    #[error("the packet's TTL ends here")]
    TtlExpired,
}

/// Encapsulations, outermost first, in the form in which packets and transpositions hold them.
fn stack(
    outer: &[Option<Encap>; MAX_ENCAPS],
    inner: &[Option<Encap>],
) -> Result<[Option<Encap>; MAX_ENCAPS], TransposeError> {
    let mut all = [None; MAX_ENCAPS];
    for (at, encap) in outer.iter().chain(inner).flatten().enumerate() {
        *all.get_mut(at).ok_or(TransposeError::TooMany)? = Some(*encap);
    }
    Ok(all)
}

fn count(encaps: &[Option<Encap>]) -> u8 {
    encaps.iter().flatten().count() as u8
}

impl Transposition {
    /// The headers afterwards.
    ///
    /// # Errors
    /// [`TransposeError`]; nothing has been changed then.
    pub fn apply(&self, headers: &Headers) -> Result<Headers, TransposeError> {
        let present = count(&headers.encaps);
        if self.pop > present {
            return Err(TransposeError::NotPresent {
                present,
                popped: self.pop,
            });
        }
        let ttl = if self.ttl_decrement == 0 {
            headers.ttl
        } else {
            headers
                .ttl
                .checked_sub(self.ttl_decrement)
                .filter(|&ttl| ttl > 0)
                .ok_or(TransposeError::TtlExpired)?
        };
        let mut after = *headers;
        after.encaps = stack(&self.push, &headers.encaps[usize::from(self.pop)..])?;
        after.ttl = ttl;
        after.src_mac = self.src_mac.unwrap_or(headers.src_mac);
        after.dst_mac = self.dst_mac.unwrap_or(headers.dst_mac);
        after.tuple.src = self.src.unwrap_or(headers.tuple.src);
        after.tuple.dst = self.dst.unwrap_or(headers.tuple.dst);
        after.tuple.src_port = self.src_port.unwrap_or(headers.tuple.src_port);
        after.tuple.dst_port = self.dst_port.unwrap_or(headers.tuple.dst_port);
        after.dscp = self.dscp.unwrap_or(headers.dscp);
        Ok(after)
    }

    /// The one transposition that does what `self` and then `next` do.
    ///
    /// # Errors
    /// [`TransposeError::TooMany`] when more would be pushed than a packet can have.
    pub fn then(&self, next: &Transposition) -> Result<Transposition, TransposeError> {
        let pushed = count(&self.push);
        let undone = next.pop.min(pushed);
        Ok(Transposition {
            pop: self.pop.saturating_add(next.pop - undone),
            push: stack(&next.push, &self.push[usize::from(undone)..])?,
            src_mac: next.src_mac.or(self.src_mac),
            dst_mac: next.dst_mac.or(self.dst_mac),
            src: next.src.or(self.src),
            dst: next.dst.or(self.dst),
            src_port: next.src_port.or(self.src_port),
            dst_port: next.dst_port.or(self.dst_port),
            dscp: next.dscp.or(self.dscp),
            ttl_decrement: self.ttl_decrement.saturating_add(next.ttl_decrement),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EncapKind, Protocol, Tuple};
    use proptest::prelude::*;

    fn encap(tni: u32) -> Encap {
        Encap {
            kind: EncapKind::Vxlan,
            src: Address::v4(100, 64, 0, 1),
            dst: Address::v4(100, 64, 0, 2),
            tni,
            dst_mac: Mac(0x0200_0000_0001),
        }
    }

    fn packet(encaps: &[u32]) -> Headers {
        let mut headers = Headers {
            tuple: Tuple {
                src: Address::v4(10, 0, 0, 4),
                dst: Address::v4(10, 0, 0, 5),
                src_port: 50_000,
                dst_port: 80,
                protocol: Protocol::TCP,
            },
            ttl: 64,
            ..Headers::default()
        };
        for (slot, &tni) in headers.encaps.iter_mut().zip(encaps) {
            *slot = Some(encap(tni));
        }
        headers
    }

    /// NAT in one layer, encapsulation in the next: source address and port of the first, wrapped by the second.
    #[test]
    fn nat_then_encapsulation_is_one_transposition() {
        let nat = Transposition {
            src: Some(Address::v4(20, 1, 2, 3)),
            src_port: Some(1024),
            ..Transposition::default()
        };
        let wrap = Transposition {
            push: [Some(encap(5001)), None],
            ..Transposition::default()
        };
        let both = nat.then(&wrap).unwrap();
        let after = both.apply(&packet(&[])).unwrap();
        assert_eq!(
            after.tuple.to_string(),
            "TCP 20.1.2.3 port 1024 to 10.0.0.5 port 80"
        );
        assert_eq!(after.encaps, [Some(encap(5001)), None]);
    }

    #[test]
    fn a_pop_takes_back_the_push_before_it() {
        let push = |tni| Transposition {
            push: [Some(encap(tni)), None],
            ..Transposition::default()
        };
        let pop = Transposition {
            pop: 1,
            ..Transposition::default()
        };
        assert_eq!(push(1).then(&pop), Ok(Transposition::default()));
        assert_eq!(
            pop.then(&push(2)).map(|t| (t.pop, t.push)),
            Ok((1, [Some(encap(2)), None]))
        );
        let two = push(1).then(&push(2)).unwrap();
        assert_eq!(two.push, [Some(encap(2)), Some(encap(1))]);
        assert_eq!(two.then(&push(3)), Err(TransposeError::TooMany));
    }

    #[test]
    fn what_is_not_there_can_not_be_popped_and_a_ttl_ends() {
        let pop = Transposition {
            pop: 1,
            ..Transposition::default()
        };
        assert_eq!(
            pop.apply(&packet(&[])),
            Err(TransposeError::NotPresent {
                present: 0,
                popped: 1
            })
        );
        let hop = Transposition {
            ttl_decrement: 1,
            ..Transposition::default()
        };
        let mut last = packet(&[]);
        last.ttl = 1;
        assert_eq!(hop.apply(&last), Err(TransposeError::TtlExpired));
        last.ttl = 2;
        assert_eq!(hop.apply(&last).map(|h| h.ttl), Ok(1));
    }

    fn any_transposition() -> impl Strategy<Value = Transposition> {
        let push = prop_oneof![
            Just([None, None]),
            (1u32..9).prop_map(|tni| [Some(encap(tni)), None]),
            (1u32..9, 1u32..9).prop_map(|(a, b)| [Some(encap(a)), Some(encap(b))]),
        ];
        let address = || proptest::option::of((1u8..9).prop_map(|d| Address::v4(10, 0, 0, d)));
        (
            0u8..3,
            push,
            address(),
            address(),
            proptest::option::of(1u16..9),
            proptest::option::of(0u8..64),
            0u8..3,
        )
            .prop_map(
                |(pop, push, src, dst, src_port, dscp, ttl_decrement)| Transposition {
                    pop,
                    push,
                    src,
                    dst,
                    src_port,
                    dscp,
                    ttl_decrement,
                    ..Transposition::default()
                },
            )
    }

    proptest! {
        /// One after the other or composed: the same packet, wherever both ways work.
        #[test]
        fn composition_is_application_in_order(a in any_transposition(), b in any_transposition(), outer in 0usize..3) {
            let before = packet(&[7, 8][..outer]);
            let steps = a.apply(&before).and_then(|between| b.apply(&between));
            if let (Ok(steps), Ok(both)) = (steps, a.then(&b)) {
                prop_assert_eq!(both.apply(&before), Ok(steps));
            }
        }
    }
}
