import * as v from 'valibot'
import { fail, parseAt, type Site, text } from './site.ts'

/** Lookups that the intrinsic functions need. */
export interface Lookups {
  readonly evaluate: (value: unknown, at: Site) => unknown
  readonly ref: (name: string, at: Site) => unknown
  readonly attribute: (logicalId: string, name: string, at: Site) => string
  readonly imported: (name: string, at: Site) => unknown
  readonly condition: (name: string, at: Site) => boolean
}

type Intrinsic = (argument: unknown, at: Site, lookups: Lookups) => unknown

const pair = v.tuple([v.unknown(), v.unknown()])
const several = v.array(v.unknown())

const textOf = (value: unknown, at: Site, lookups: Lookups, what: string): string => parseAt(text, lookups.evaluate(value, at), at, what)

const getAtt: Intrinsic = (argument, at, lookups) => {
  const [logicalId, ...rest] = typeof argument === 'string' ? argument.split('.') : parseAt(v.array(v.string()), argument, at, 'Fn::GetAtt')
  return lookups.attribute(logicalId ?? '', rest.join('.'), at)
}

const join: Intrinsic = (argument, at, lookups) => {
  const [separator, parts] = parseAt(v.tuple([v.string(), v.unknown()]), argument, at, 'Fn::Join')
  return parseAt(v.array(text), lookups.evaluate(parts, at), at, 'Fn::Join').join(separator)
}

const select: Intrinsic = (argument, at, lookups) => {
  const [index, list] = parseAt(pair, argument, at, 'Fn::Select')
  const position = textOf(index, at, lookups, 'Fn::Select')
  return (
    parseAt(several, lookups.evaluate(list, at), at, 'Fn::Select')[Number(position)] ?? fail(at, `Fn::Select has no element ${position}`)
  )
}

const split: Intrinsic = (argument, at, lookups) => {
  const [separator, whole] = parseAt(v.tuple([v.string(), v.unknown()]), argument, at, 'Fn::Split')
  return textOf(whole, at, lookups, 'Fn::Split').split(separator)
}

const sub: Intrinsic = (argument, at, lookups) => {
  const [template, variables] =
    typeof argument === 'string'
      ? [argument, {}]
      : parseAt(v.tuple([v.string(), v.record(v.string(), v.unknown())]), argument, at, 'Fn::Sub')
  const known = new Map(Object.entries(variables))
  return template.replaceAll(/\$\{([^${}]+)\}/g, (_, name: string) => {
    if (name.startsWith('!')) return `\${${name.slice(1)}}`
    if (known.has(name)) return textOf(known.get(name), at, lookups, 'Fn::Sub')
    return textOf(name.includes('.') ? { 'Fn::GetAtt': name } : { Ref: name }, at, lookups, 'Fn::Sub')
  })
}

const choose: Intrinsic = (argument, at, lookups) => {
  const [condition, whenTrue, whenFalse] = parseAt(v.tuple([v.string(), v.unknown(), v.unknown()]), argument, at, 'Fn::If')
  return lookups.evaluate(lookups.condition(condition, at) ? whenTrue : whenFalse, at)
}

const equals: Intrinsic = (argument, at, lookups) => {
  const [left, right] = parseAt(pair, argument, at, 'Fn::Equals')
  return textOf(left, at, lookups, 'Fn::Equals') === textOf(right, at, lookups, 'Fn::Equals')
}

const verdicts = (argument: unknown, at: Site, lookups: Lookups): readonly boolean[] =>
  parseAt(several, argument, at, 'Condition').map((condition) => lookups.evaluate(condition, at) === true)

export const intrinsics: ReadonlyMap<string, Intrinsic> = new Map<string, Intrinsic>([
  ['Ref', (argument, at, lookups) => lookups.ref(parseAt(v.string(), argument, at, 'Ref'), at)],
  ['Condition', (argument, at, lookups) => lookups.condition(parseAt(v.string(), argument, at, 'Condition'), at)],
  ['Fn::GetAtt', getAtt],
  ['Fn::Join', join],
  ['Fn::Select', select],
  ['Fn::Split', split],
  ['Fn::Sub', sub],
  ['Fn::ImportValue', (argument, at, lookups) => lookups.imported(textOf(argument, at, lookups, 'Fn::ImportValue'), at)],
  ['Fn::If', choose],
  ['Fn::Equals', equals],
  ['Fn::And', (argument, at, lookups) => verdicts(argument, at, lookups).every(Boolean)],
  ['Fn::Or', (argument, at, lookups) => verdicts(argument, at, lookups).some(Boolean)],
  ['Fn::Not', (argument, at, lookups) => !verdicts(argument, at, lookups).some(Boolean)],
])
