/** A step into a value: a key, or an index in a list (negative: from its end). */
export type PathStep = string | number

export type Literal = string | number | boolean | null

/** A parsed filter condition. Paths begin at the payload. */
export type Tree =
  | { readonly type: 'literal'; readonly value: Literal }
  | { readonly type: 'path'; readonly steps: readonly PathStep[] }
  | { readonly type: 'inside'; readonly of: Tree; readonly steps: readonly PathStep[] }
  | { readonly type: 'has'; readonly steps: readonly PathStep[] }
  | { readonly type: 'get'; readonly steps: readonly PathStep[]; readonly otherwise: Tree }
  | { readonly type: 'compare'; readonly left: Tree; readonly right: Tree; readonly negated: boolean }
  | { readonly type: 'and' | 'or'; readonly parts: readonly [Tree, Tree, ...Tree[]] }
