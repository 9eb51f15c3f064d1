import * as v from 'valibot'
import type { EventSourceSpec } from '../model.ts'
import { functionNameOf } from './arn.ts'
import { ofType, type Resource } from './resource.ts'
import { flag, numeric } from './site.ts'

/** A filter's pattern is JSON in a string. */
const pattern = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

/**
 * A setting with only one supported value: one batch of a shard after the other. Other values change which invocation gets which records,
 * and when.
 */
const only = (value: number, problem: string) =>
  v.optional(
    v.pipe(
      numeric,
      v.check((given) => given === value, problem),
    ),
    value,
  )

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
  StartingPosition: v.optional(v.literal('TRIM_HORIZON', 'streams are read from their beginning')),
  ParallelizationFactor: only(1, 'one batch of a shard runs at a time'),
  TumblingWindowInSeconds: only(0, 'there are no tumbling windows'),
})

/**
 * Properties without effect here. Records never grow old: streams are read at once, and a run without its old data starts with a new
 * stream. The rest is for observers.
 */
const IGNORED = ['MaximumRecordAgeInSeconds', 'Tags', 'MetricsConfig', 'LoggingConfig']

const defaultBatchSize = (sourceArn: string): number => (sourceArn.includes(':sqs:') ? 10 : 100)

/** Enabled event source mappings, with Lambda's defaults for missing properties. */
export const readEventSources = (resources: readonly Resource[]): readonly EventSourceSpec[] =>
  ofType(resources, 'AWS::Lambda::EventSourceMapping').flatMap((resource) => {
    const mapping = resource.read(mappingSchema, IGNORED)
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
