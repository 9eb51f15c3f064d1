import type { StateKind } from './state-kind.ts'

const FULL = { open: 'M5 1a4 4 0 0 1 0 8a4 4 0 0 1 0 -8', partly: 'M5 1a4 4 0 0 0 0 8z', closed: '' } as const

/** A full, half or empty circle: the colour is never the only sign. */
export const Sign = ({ kind }: { readonly kind: StateKind }) => (
  <svg class="sign" viewBox="0 0 10 10" aria-hidden="true">
    <circle cx={5} cy={5} r={4} />
    <path class="full" d={FULL[kind]} />
  </svg>
)
