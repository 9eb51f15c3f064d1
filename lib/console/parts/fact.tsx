import type { ComponentChildren } from 'preact'

interface FactProps {
  readonly label: string
  /** Whether it takes a whole row of the list. */
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

/** A name and its value in a list of data. */
export const Fact = ({ label, isWide = false, children }: FactProps) => (
  <div class={isWide ? 'wide' : undefined}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
