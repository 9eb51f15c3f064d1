import type { Literal, Step, Tree } from '../../schema/filters/tree.ts'
import { child, isEqual, isTrue } from './values.ts'

/** The value of a part of a condition for a payload. */
type Evaluate = (payload: unknown) => unknown

const descend = (from: unknown, steps: readonly Step[]): unknown => {
  let value = from
  for (const step of steps) {
    if (value === null) return null
    value = child(value, step)
  }
  return value
}

/** Most paths have one step or two. */
const follow = (steps: readonly Step[]): Evaluate => {
  const [first = '', second = ''] = steps
  if (steps.length === 1) return (payload) => child(payload, first)
  if (steps.length === 2) return (payload) => child(child(payload, first), second)
  return (payload) => descend(payload, steps)
}

/** Whether a payload fits a part of a condition. */
type Predicate = (payload: unknown) => boolean

const isLiteral = (value: Literal, found: Evaluate): Predicate => {
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

/** As in Python the value is that of the part that settles it. */
const joined = (parts: readonly Tree[], settledBy: boolean): Evaluate => {
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

/** Functions within functions: nothing is looked up in the tree any more when a payload comes. */
const evaluator = (tree: Tree): Evaluate => {
  switch (tree.type) {
    case 'literal': {
      const { value } = tree
      return () => value
    }
    case 'path':
      return follow(tree.steps)
    case 'inside': {
      const { steps } = tree
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

/** As `evaluator`, where only truth is asked for. */
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
