import { isDictionary } from '../../../http/fields/field.ts'
import type { PathStep } from './tree.ts'

/** Compares JSON values, and decides their truth, as Python does. A missing value is null. */

const PLACE = /^(?:0|[1-9]\d*)$/

/** The value at one step inside another. Only own keys count, so names such as `__proto__` are only data. */
export const child = (value: unknown, step: PathStep): unknown => {
  if (isDictionary(value)) return typeof step === 'string' && Object.hasOwn(value, step) ? (value[step] ?? null) : null
  if (!Array.isArray(value)) return null
  if (typeof step === 'number') return value.at(step) ?? null
  return PLACE.test(step) ? (value[Number(step)] ?? null) : null
}

/** Python's truth of a value: false for null, false, 0 and everything empty. */
export const isTrue = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return Boolean(value)
  if (Array.isArray(value)) return value.length > 0
  for (const _ in value) return true
  return false
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** True is 1 and false is 0; beyond that, values of different types differ. */
const isSameScalar = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (typeof one === 'boolean') return typeof other === 'number' && Number(one) === other
  return typeof other === 'boolean' && typeof one === 'number' && Number(other) === one
}

type Pair = readonly [one: unknown, other: unknown]

/** The pairs inside two values that must be equal; undefined when the values already differ. */
const pairsOf = ([one, other]: Pair): Pair[] | undefined => {
  if (!isObject(one) || !isObject(other)) return isSameScalar(one, other) ? [] : undefined
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length ? one.map((item, at) => [item, other[at]] as const) : undefined
  if (!isDictionary(one) || !isDictionary(other)) return undefined
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length || !keys.every((key) => Object.hasOwn(other, key))) return undefined
  return keys.map((key) => [one[key], other[key]] as const)
}

const areEqualWithin = (pair: Pair): boolean => {
  const open: Pair[] = [pair]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const further = pairsOf(next)
    if (!further) return false
    for (const inner of further) open.push(inner)
  }
  return true
}

/** Cache of comparisons. It stays valid, because payloads do not change. */
const compared = new WeakMap<object, WeakMap<object, boolean>>()

/** Cached, because filters may compare the same large values many times, and a user may have many such filters. */
const areEqualObjects = (one: object, other: object): boolean => {
  const others = compared.get(one) ?? new WeakMap<object, boolean>()
  compared.set(one, others)
  const result = others.get(other) ?? areEqualWithin([one, other])
  others.set(other, result)
  return result
}

/** Deep equality of lists and objects. It uses no recursion, so deep nesting needs no more stack. */
export const isEqual = (one: unknown, other: unknown): boolean =>
  isObject(one) && isObject(other) ? areEqualObjects(one, other) : isSameScalar(one, other)
