import { describe, expect, it } from '@jest/globals'
import { METRIC_NAMESPACE, METRICS, type MetricName } from '#shared/adapters/metrics.ts'

describe('metrics', () => {
  it('have each a name of its own, and a sentence', () => {
    const names = METRICS.map(({ name }): MetricName => name)
    expect(METRIC_NAMESPACE).toBe('LeadOutreach')
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(
      expect.arrayContaining(['requests_5xx', 'calls_started', 'calls_COMPLETED', 'calls_FAILED', 'deliveries_pending']),
    )
    for (const { tells } of METRICS) expect(tells).toMatch(/^[A-Z].*\.$/)
  })
})
