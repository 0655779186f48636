//! Orders terms so that each comes after those above it, and finds the ones that lie below themselves.

use std::collections::HashMap;
use std::hash::Hash;

/// An order, and the members that close a circle.
pub(super) struct Order<N> {
    pub members: Vec<N>,
    pub circles: Vec<N>,
}

/// What is above a member, as far as it was followed.
struct Climb<N> {
    member: N,
    above: Vec<N>,
}

/// The members and everything above them, each after what is above it. Of a circle, the first is named that may be.
/// Chains may be long, so nothing recurses.
///
/// # Errors
/// Those of `above`.
pub(super) fn in_order<N: Copy + Eq + Hash, E>(
    members: impl Iterator<Item = N>,
    mut above: impl FnMut(N) -> Result<Vec<N>, E>,
    may_be_named: impl Fn(N) -> bool,
) -> Result<Order<N>, E> {
    let mut is_done: HashMap<N, bool> = HashMap::new();
    let mut order = Order {
        members: Vec::new(),
        circles: Vec::new(),
    };
    for first in members {
        if is_done.contains_key(&first) {
            continue;
        }
        is_done.insert(first, false);
        let mut climbs = vec![Climb {
            member: first,
            above: above(first)?,
        }];
        while let Some(climb) = climbs.last_mut() {
            let member = climb.member;
            match climb.above.pop() {
                None => {
                    is_done.insert(member, true);
                    order.members.push(member);
                    climbs.pop();
                }
                Some(next) => match is_done.get(&next) {
                    Some(true) => {}
                    Some(false) => {
                        let from = climbs
                            .iter()
                            .rposition(|climb| climb.member == next)
                            .unwrap_or(0);
                        let mut circle = climbs[from..].iter().rev().map(|climb| climb.member);
                        order
                            .circles
                            .extend(circle.find(|member| may_be_named(*member)));
                    }
                    None => {
                        is_done.insert(next, false);
                        climbs.push(Climb {
                            member: next,
                            above: above(next)?,
                        });
                    }
                },
            }
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::in_order;

    fn ordered(above: &[&[usize]]) -> (Vec<usize>, Vec<usize>) {
        let found = in_order(
            0..above.len(),
            |member| Ok::<_, ()>(above[member].to_vec()),
            |_| true,
        );
        let found = found.expect("an order");
        (found.members, found.circles)
    }

    #[test]
    fn what_is_above_comes_first() {
        assert_eq!(ordered(&[&[2], &[0, 2], &[]]), (vec![2, 0, 1], vec![]));
        let chain: Vec<Vec<usize>> = (1..=200_000)
            .map(|next| vec![next])
            .chain([vec![]])
            .collect();
        let chain: Vec<&[usize]> = chain.iter().map(Vec::as_slice).collect();
        assert_eq!(ordered(&chain).0.first(), Some(&200_000));
    }

    #[test]
    fn circles_are_found() {
        assert_eq!(ordered(&[&[0]]).1, [0]);
        assert_eq!(ordered(&[&[1], &[2], &[0], &[]]).1, [2]);
    }
}
