import { describe, expect, it } from '@jest/globals'
import { compileFilter } from '#shared/webhooks/rules/filter/filter.ts'
import { FilterError } from '#shared/webhooks/rules/filter/filter-error.ts'
import { CASES } from '#test/support/filters/cases.ts'
import { FAULTS } from '#test/support/filters/faults.ts'
import { PAYLOAD } from '#test/support/filters/payload.ts'

const matches = (condition: string, payload = PAYLOAD) => compileFilter(condition).matches(payload)

const faultOf = (condition: string): FilterError => {
  try {
    compileFilter(condition)
  } catch (error) {
    if (error instanceof FilterError) return error
    throw error
  }
  throw new Error(`${condition} is a condition.`)
}

describe.each(Object.entries(CASES))('%s', (_topic, cases) => {
  it.each(cases)('the filter %j is %p', (condition, expected) => {
    expect(matches(condition)).toBe(expected)
  })
})

it('the filter cases number more than 200 and are all different', () => {
  const conditions = [...Object.values(CASES).flat(), ...FAULTS].map(([condition]) => condition)
  expect(conditions.length).toBeGreaterThan(200)
  expect(conditions.filter((condition, index) => conditions.indexOf(condition) !== index)).toEqual([])
})

describe('an invalid condition', () => {
  it.each(FAULTS)('an invalid condition is refused with a position and a reason: %j at %p', (condition, position, message) => {
    const fault = faultOf(condition)
    expect({ position: fault.position, message: fault.message }).toEqual({ position, message })
  })
})

describe('the limits of a condition', () => {
  it('a condition may have 2,000 characters, counted as code points', () => {
    expect(matches(`'${'😀'.repeat(1998)}'`)).toBe(true)
    expect(faultOf(`'${'😀'.repeat(1999)}'`).position).toBe(2001)
  })

  it('a condition may have 32 levels of nesting', () => {
    expect(matches(`${'('.repeat(32)}id${')'.repeat(32)} == 51`)).toBe(true)
    expect(matches(`${"get('x', ".repeat(32)}id${')'.repeat(32)} == 51`)).toBe(true)
    expect(faultOf(`${"get('x', ".repeat(33)}id${')'.repeat(33)}`).position).toBe(32 * 9 + 4)
    expect(faultOf(`${"get('x', (".repeat(16)}has('id')${'))'.repeat(16)}`).position).toBe(16 * 10 + 4)
  })

  it('adjacent levels of a condition do not count as nesting', () => {
    expect(matches(Array.from({ length: 200 }, () => '(id)').join(' and '))).toBe(true)
  })

  it('indexes and operators of a condition do not count as nesting', () => {
    expect(matches(`x${'[0]'.repeat(660)} == null`)).toBe(true)
    expect(matches(Array.from({ length: 285 }, () => 'id').join(' and '))).toBe(true)
  })
})

describe('payloads', () => {
  it.each([[null], ['text'], [5], [true], [[]], [{}]])('payloads give null for every path they lack: %p', (payload) => {
    expect(matches("status == null and has('a.b') == false and get('a', 1) == 1 and x[0].y == None", payload)).toBe(true)
  })

  it('payloads may nest lists and objects to any depth without a stack overflow', () => {
    const deep = (inner: string) => JSON.parse(`${'[{"a":'.repeat(200_000)}${inner}${'}]'.repeat(200_000)}`)
    const payload = { one: deep('1'), same: deep('true'), other: deep('2') }
    expect(matches('one == same and one != other', payload)).toBe(true)
  })

  it('a condition leaves payloads unchanged', () => {
    const before = JSON.stringify(PAYLOAD)
    for (const [condition] of Object.values(CASES).flat()) matches(condition)
    expect(JSON.stringify(PAYLOAD)).toBe(before)
  })
})

describe('compiled conditions', () => {
  it('compiled conditions are cached, while a faulty one fails each time', () => {
    expect(compileFilter('id == 51')).toBe(compileFilter('id == 51'))
    expect(faultOf('id =').position).toBe(faultOf('id =').position)
  })

  it('compiled conditions are evicted from the cache by least recent use', () => {
    const [often, once] = [compileFilter("id == 'often'"), compileFilter("id == 'once'")]
    for (let number = 0; number < 600; number++) {
      compileFilter(`id == ${number}`)
      compileFilter("id == 'often'")
    }
    expect(compileFilter("id == 'often'")).toBe(often)
    expect(compileFilter("id == 'once'")).not.toBe(once)
  })
})

describe('large values of a payload', () => {
  it('large values of a payload are compared once, however often conditions compare them', () => {
    const values = Array.from({ length: 10_000 }, () => 1)
    let reads = 0
    const counted = new Proxy([...values], {
      get: (target, key, receiver) => {
        reads++
        return Reflect.get(target, key, receiver)
      },
    })
    const payload = { metadata: { a: counted, b: values, c: [...values, 2] } }
    const equal = Array.from({ length: 70 }, () => 'metadata.a==metadata.b').join(' and ')
    for (const condition of [equal, `${equal} `, `${equal} and metadata.a != metadata.c`]) {
      expect(compileFilter(condition).matches(payload)).toBe(true)
    }
    expect(reads).toBeLessThan(3 * values.length)
  })
})
