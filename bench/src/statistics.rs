//! Figures from many short runs on a machine that other programs use, too.

/// The middle of `values`, or the mean of the two in the middle.
///
/// # Panics
///
/// If there are no values.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// Half of the distance between the quartiles of `values`.
///
/// # Panics
///
/// If there are no values.
#[must_use]
pub fn half_interquartile_range(values: &[f64]) -> f64 {
    (quantile(values, 0.75) - quantile(values, 0.25)) / 2.0
}

/// The value below which the part `at` of `values` lies, interpolated between neighbours.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index into a slice of a few hundred"
)]
fn quantile(values: &[f64], at: f64) -> f64 {
    assert!(!values.is_empty(), "no values");
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let position = at * (sorted.len() - 1) as f64;
    let below = position.floor() as usize;
    let above = position.ceil() as usize;
    sorted[below] + (sorted[above] - sorted[below]) * position.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ignores_outliers() {
        assert_eq!(median(&[3.0, 1.0, 1000.0]), 3.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 1000.0]), 3.0);
        assert_eq!(median(&[7.0]), 7.0);
    }

    #[test]
    fn the_spread_is_that_of_the_middle_half() {
        assert_eq!(half_interquartile_range(&[1.0, 2.0, 3.0, 4.0, 5.0]), 1.0);
        assert_eq!(half_interquartile_range(&[2.0, 2.0, 2.0, 900.0]), 112.25);
        assert_eq!(half_interquartile_range(&[5.0]), 0.0);
    }
}
