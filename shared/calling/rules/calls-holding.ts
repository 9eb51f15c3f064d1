import type { Phone } from '../../stops/compliance.ts'

/** Ids of all calls that hold a phone. Nobody dials the phone before all of them are over. */
export const callsHolding = ({ current_call, other_calls }: Pick<Phone, 'current_call' | 'other_calls'>): readonly string[] => [
  ...(current_call === null ? [] : [current_call]),
  ...other_calls,
]
