//! Exact decimal numbers as people write them, without floating point.

/// Most significant digits accepted. 24 digits times the largest unit (2^40) stay below 2^128.
const MAX_DIGITS: usize = 24;

/// `digits` × 10^−`scale`, never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    digits: u128,
    scale: u32,
}

/// Why a text is no decimal number, or why it does not fit where it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecimalError {
    /// Nothing there.
    Empty,
    /// A minus sign.
    Negative,
    /// Something else than digits with at most one point between them.
    NotANumber,
    /// More than 24 significant digits.
    TooLong,
    /// The result exceeds 64 bits.
    TooLarge,
    /// The result is not a whole number of the smallest unit.
    NotWhole,
}

impl Decimal {
    /// Reads `12`, `1.5`, `0.25`. A point needs a digit on both sides.
    pub(crate) fn parse(text: &str) -> Result<Self, DecimalError> {
        if text.is_empty() {
            return Err(DecimalError::Empty);
        }
        if text.starts_with(['-', '−']) {
            return Err(DecimalError::Negative);
        }
        let (whole, fraction) = match text.split_once('.') {
            Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
            Some(_) => return Err(DecimalError::NotANumber),
            None => (text, ""),
        };
        let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
            return Err(DecimalError::NotANumber);
        }
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        if whole.len() + fraction.len() > MAX_DIGITS {
            return Err(DecimalError::TooLong);
        }
        let digits = whole
            .bytes()
            .chain(fraction.bytes())
            .fold(0, |n, b| n * 10 + u128::from(b - b'0'));
        Ok(Self {
            digits,
            scale: fraction.len() as u32,
        })
    }

    /// The value times `unit`, which must come out as a whole number of at most 64 bits.
    pub(crate) fn times(self, unit: u64) -> Result<u64, DecimalError> {
        let scaled = self
            .digits
            .checked_mul(u128::from(unit))
            .ok_or(DecimalError::TooLarge)?;
        let divisor = 10u128.pow(self.scale);
        if !scaled.is_multiple_of(divisor) {
            return Err(DecimalError::NotWhole);
        }
        u64::try_from(scaled / divisor).map_err(|_| DecimalError::TooLarge)
    }

    /// The whole part and the rest in millionths.
    pub(crate) fn whole_and_millionths(self) -> Result<(u64, u32), DecimalError> {
        let divisor = 10u128.pow(self.scale);
        let millionths = self.digits % divisor * 1_000_000;
        if !millionths.is_multiple_of(divisor) {
            return Err(DecimalError::NotWhole);
        }
        let whole = u64::try_from(self.digits / divisor).map_err(|_| DecimalError::TooLarge)?;
        Ok((whole, (millionths / divisor) as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str, unit: u64) -> Result<u64, DecimalError> {
        Decimal::parse(text)?.times(unit)
    }

    #[test]
    fn reads_whole_numbers_and_fractions_exactly() {
        assert_eq!(whole("12", 1), Ok(12));
        assert_eq!(whole("1.5", 1_000), Ok(1_500));
        assert_eq!(whole("0.1", 10), Ok(1));
        assert_eq!(whole("007.50", 100), Ok(750));
        // 0.3 × 10^12 is 299,999,999,999.99994 in binary floating point; here it is exact.
        assert_eq!(whole("0.3", 1_000_000_000_000), Ok(300_000_000_000));
    }

    #[test]
    fn reaches_the_largest_value_and_no_further() {
        assert_eq!(whole("18446744073709551615", 1), Ok(u64::MAX));
        assert_eq!(whole("18446744073709551616", 1), Err(DecimalError::TooLarge));
        assert_eq!(whole("18446744.073709551615", 1_000_000_000_000), Ok(u64::MAX));
        assert_eq!(
            whole("18446744.073709551616", 1_000_000_000_000),
            Err(DecimalError::TooLarge)
        );
        assert_eq!(
            whole("999999999999999999999999", 1 << 40),
            Err(DecimalError::TooLarge)
        );
    }

    #[test]
    fn splits_into_whole_and_millionths() {
        let split = |text: &str| Decimal::parse(text)?.whole_and_millionths();
        assert_eq!(split("5"), Ok((5, 0)));
        assert_eq!(split("0.25"), Ok((0, 250_000)));
        assert_eq!(split("18446744073709551615.0001"), Ok((u64::MAX, 100)));
        assert_eq!(split("0.0000001"), Err(DecimalError::NotWhole));
        assert_eq!(split("18446744073709551616"), Err(DecimalError::TooLarge));
    }

    #[test]
    fn refuses_what_is_no_number() {
        assert_eq!(Decimal::parse(""), Err(DecimalError::Empty));
        assert_eq!(Decimal::parse("-1"), Err(DecimalError::Negative));
        assert_eq!(Decimal::parse("−1"), Err(DecimalError::Negative));
        for text in [".5", "5.", "1.2.3", "1e6", "+1", "1,000", "0x10", "٣", " 1", "."] {
            assert_eq!(Decimal::parse(text), Err(DecimalError::NotANumber), "{text}");
        }
        assert_eq!(
            Decimal::parse("1234567890123456789012345"),
            Err(DecimalError::TooLong)
        );
        assert_eq!(
            Decimal::parse("000000000000000000000000000001").unwrap().times(1),
            Ok(1)
        );
        assert_eq!(whole("0.5", 1), Err(DecimalError::NotWhole));
    }
}
