import * as v from 'valibot'
import type { EventSourceSpec } from '../model.ts'
import { functionNameOf } from './place.ts'
import { ofType, type Resource } from './resource.ts'
import { flag, numeric } from './site.ts'

/** A filter's pattern is JSON within a string. */
const pattern = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

const mappingSchema = v.object({
  FunctionName: v.string(),
  EventSourceArn: v.string(),
  Enabled: v.optional(flag, true),
  BatchSize: v.optional(numeric),
  MaximumBatchingWindowInSeconds: v.optional(numeric, 0),
  FunctionResponseTypes: v.optional(v.array(v.string()), []),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.optional(numeric) })),
  MaximumRetryAttempts: v.optional(numeric, -1),
  BisectBatchOnFunctionError: v.optional(flag, false),
  FilterCriteria: v.optional(v.object({ Filters: v.optional(v.array(v.object({ Pattern: pattern })), []) })),
  DestinationConfig: v.optional(v.object({ OnFailure: v.optional(v.object({ Destination: v.string() })) })),
})

const defaultBatchSize = (sourceArn: string): number => (sourceArn.includes(':sqs:') ? 10 : 100)

/** Event source mappings that are switched on, with Lambda's defaults where the template is silent. */
export const readEventSources = (resources: readonly Resource[]): readonly EventSourceSpec[] =>
  ofType(resources, 'AWS::Lambda::EventSourceMapping').flatMap((resource) => {
    const mapping = resource.read(mappingSchema)
    if (!mapping.Enabled) return []
    return [
      {
        functionName: functionNameOf(mapping.FunctionName) ?? mapping.FunctionName,
        sourceArn: mapping.EventSourceArn,
        batchSize: mapping.BatchSize ?? defaultBatchSize(mapping.EventSourceArn),
        windowSeconds: mapping.MaximumBatchingWindowInSeconds,
        reportBatchItemFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
        maxConcurrency: mapping.ScalingConfig?.MaximumConcurrency,
        maxRetries: mapping.MaximumRetryAttempts,
        bisectOnError: mapping.BisectBatchOnFunctionError,
        filterPatterns: mapping.FilterCriteria?.Filters.map(({ Pattern }) => Pattern) ?? [],
        onFailureArn: mapping.DestinationConfig?.OnFailure?.Destination,
      },
    ]
  })
