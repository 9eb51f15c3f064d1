import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { flushMetrics, METRIC_NAMESPACE, METRICS, type MetricName, measure, recordFailures } from '#shared/platform/metrics.ts'
import { captureLog } from '#test/support/captured-log.ts'

const lines = captureLog()
beforeAll(() => {
  process.env['STAGE'] = 'test'
})
afterAll(() => {
  delete process.env['STAGE']
})

describe('metrics', () => {
  it('metrics have unique names and one sentence each', () => {
    const names = METRICS.map(({ name }): MetricName | 'failures' => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(
      expect.arrayContaining(['requests_5xx', 'calls_started', 'calls_COMPLETED', 'calls_FAILED', 'deliveries_pending']),
    )
    for (const { meaning } of METRICS) expect(meaning).toMatch(/^[A-Z].*\.$/)
  })

  it('metrics are summed when they count, and listed when they measure', () => {
    for (const lateness of [5, 0, 12_000]) {
      measure('calls_started')
      measure('call_lateness', lateness)
    }
    measure('rows_ingested', 249)
    measure('rows_ingested', 0)
    flushMetrics()
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: METRIC_NAMESPACE,
              Dimensions: [['stage']],
              Metrics: [
                { Name: 'calls_started', Unit: 'Count' },
                { Name: 'call_lateness', Unit: 'Milliseconds' },
                { Name: 'rows_ingested', Unit: 'Count' },
              ],
            },
          ],
        },
        stage: 'test',
        calls_started: [3],
        call_lateness: [5, 0, 12_000],
        rows_ingested: [249],
      },
    ])
  })

  it('metrics are written once', () => {
    measure('calls_FAILED')
    flushMetrics()
    flushMetrics()
    expect(lines).toHaveLength(1)
  })

  it('metrics of failures are written per function, and only if there are some', () => {
    recordFailures('lead-outreach-test-workers-place-call', 0)
    recordFailures(undefined, 1)
    expect(lines).toEqual([])
    recordFailures('lead-outreach-test-workers-place-call', 3)
    const directive = { Namespace: METRIC_NAMESPACE, Dimensions: [['stage', 'function']], Metrics: [{ Name: 'failures', Unit: 'Count' }] }
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        _aws: { Timestamp: expect.any(Number), CloudWatchMetrics: [directive] },
        stage: 'test',
        function: 'lead-outreach-test-workers-place-call',
        failures: [3],
      },
    ])
  })

  it('metrics are split into lines of at most a hundred values', () => {
    for (let value = 1; value <= 250; value++) {
      measure('deliveries_delivered')
      measure('delivery_duration', value)
    }
    flushMetrics()
    const told = lines.map((line) => JSON.parse(line))
    expect(told.map(({ delivery_duration }) => delivery_duration.length)).toEqual([100, 100, 50])
    expect(told.flatMap(({ delivery_duration }) => delivery_duration)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1))
    expect(told.map(({ deliveries_delivered: [count] }) => count).reduce((sum, count) => sum + count)).toBe(250)
  })
})
