import type { StateTone } from '../../values/state-badge.tsx';
import type { Point } from './sketch-view.ts';

/** Vehicles that are too close to each other to be drawn apart. */
export type Group<Name extends string> = { at: Point; states: Map<Name, number>; total: number };

const reach = 34;

/** Each joins the first group that it touches, so that the same vehicles make the same groups. */
export function groupMarks<Name extends string>(
  marks: readonly { at: Point; state: Name }[],
): Group<Name>[] {
  const groups: Group<Name>[] = [];
  for (const { at, state } of marks) {
    const near = groups.find((one) => Math.hypot(one.at[0] - at[0], one.at[1] - at[1]) < reach);
    if (!near) {
      groups.push({ at, states: new Map([[state, 1]]), total: 1 });
      continue;
    }
    near.total += 1;
    near.states.set(state, (near.states.get(state) ?? 0) + 1);
    // The middle of all that have joined.
    near.at = [
      near.at[0] + (at[0] - near.at[0]) / near.total,
      near.at[1] + (at[1] - near.at[1]) / near.total,
    ];
  }
  return groups;
}

export type Arc = { tone: StateTone; from: number; count: number };

/** The parts of a ring in the order in which states are looked at, those without anything to see last. */
export function arcsOf<Name extends string>(
  { states }: Pick<Group<Name>, 'states'>,
  toneOf: (state: Name) => StateTone,
): Arc[] {
  const order: StateTone[] = ['danger', 'warning', 'info', 'good', 'neutral'];
  let from = 0;
  return order.flatMap((tone) => {
    const count = [...states]
      .filter(([state]) => toneOf(state) === tone)
      .reduce((sum, [, one]) => sum + one, 0);
    if (count === 0) return [];
    const arc = { tone, from, count };
    from += count;
    return [arc];
  });
}
