import { descend, follow, type PathReader } from './follow.ts'
import type { Literal, PathStep, Tree } from './tree.ts'
import { isEqual, isTrue } from './values.ts'

/** Whether a payload matches a part of a condition. */
type Predicate = (payload: unknown) => boolean

const isLiteral = (value: Literal, found: PathReader): Predicate => {
  if (value === null || typeof value === 'string') return (payload) => found(payload) === value
  return (payload) => isEqual(found(payload), value)
}

const areEqual = (left: Tree, right: Tree): Predicate => {
  if (right.type === 'literal') return isLiteral(right.value, evaluator(left))
  if (left.type === 'literal') return isLiteral(left.value, evaluator(right))
  const [one, other] = [evaluator(left), evaluator(right)]
  return (payload) => isEqual(one(payload), other(payload))
}

const fits = (tree: Tree & { readonly type: 'has' | 'compare' }): Predicate => {
  if (tree.type === 'has') {
    const found = follow(tree.steps)
    return (payload) => found(payload) !== null
  }
  const equal = areEqual(tree.left, tree.right)
  return tree.negated ? (payload) => !equal(payload) : equal
}

/** As in Python, the result is the value of the operand that decides it. */
const joined = (parts: readonly Tree[], settledBy: boolean): PathReader => {
  const all = parts.map(evaluator)
  return (payload) => {
    let value: unknown = null
    for (const part of all) {
      value = part(payload)
      if (isTrue(value) === settledBy) break
    }
    return value
  }
}

/** `get('metadata')['us_state']` is the path `metadata.us_state`. */
const wholePath = ({ of, steps }: Tree & { readonly type: 'inside' }): readonly PathStep[] | undefined => {
  if (of.type === 'path') return [...of.steps, ...steps]
  const isPath = of.type === 'get' && of.otherwise.type === 'literal' && of.otherwise.value === null
  return isPath ? [...of.steps, ...steps] : undefined
}

/** Compiles a tree into nested functions. A payload is then evaluated without a walk through the tree. */
const evaluator = (tree: Tree): PathReader => {
  switch (tree.type) {
    case 'literal': {
      const { value } = tree
      return () => value
    }
    case 'path':
      return follow(tree.steps)
    case 'inside': {
      const { steps } = tree
      const whole = wholePath(tree)
      if (whole) return follow(whole)
      const of = evaluator(tree.of)
      return (payload) => descend(of(payload), steps)
    }
    case 'get': {
      const found = follow(tree.steps)
      const otherwise = evaluator(tree.otherwise)
      return (payload) => found(payload) ?? otherwise(payload)
    }
    case 'has':
    case 'compare':
      return fits(tree)
    default:
      return joined(tree.parts, tree.type === 'or')
  }
}

/** As `evaluator`, but returns only whether the value is true. */
export const predicate = (tree: Tree): Predicate => {
  switch (tree.type) {
    case 'has':
    case 'compare':
      return fits(tree)
    case 'and':
    case 'or': {
      const settledBy = tree.type === 'or'
      const parts = tree.parts.map(predicate)
      return (payload) => {
        for (const part of parts) if (part(payload) === settledBy) return settledBy
        return !settledBy
      }
    }
    default: {
      const value = evaluator(tree)
      return (payload) => isTrue(value(payload))
    }
  }
}
