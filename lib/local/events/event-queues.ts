import type { QueueSpec, ServiceTemplate } from '../model.ts'
import { functionNameOf } from '../template/arn.ts'

/**
 * The queues that stream events pass through, upstream before downstream. They are targets of bus rules, queues whose URL is in the
 * environment of a function that a stream or a rule invokes, and so on through the consumers of these queues. Dead-letter queues are left
 * out: their messages were given up. In a cycle no order is right, so the order of discovery is taken.
 */
export const eventQueuesOf = (
  template: Pick<ServiceTemplate, 'functions' | 'queues' | 'tables' | 'rules' | 'eventSources'>,
): readonly QueueSpec[] => {
  const consumed = new Set(template.eventSources.map((source) => source.sourceArn))
  const queues = template.queues.filter((queue) => consumed.has(queue.arn))

  const fedBy = (functionName: string | undefined): readonly QueueSpec[] => {
    const environment = template.functions.find((fn) => fn.name === functionName)?.environment ?? {}
    return queues.filter((queue) => Object.values(environment).includes(queue.url))
  }
  const downstreamOf = (arn: string): readonly QueueSpec[] =>
    template.eventSources.filter((source) => source.sourceArn === arn).flatMap((source) => fedBy(source.functionName))

  const targets = template.rules.filter((rule) => rule.pattern !== undefined).flatMap((rule) => rule.targets.map((target) => target.arn))
  const fedByRules = targets.flatMap((arn) => fedBy(functionNameOf(arn)))
  const fedByStreams = template.tables.flatMap((table) => downstreamOf(table.streamArn))
  const roots = [...queues.filter((queue) => targets.includes(queue.arn)), ...fedByRules, ...fedByStreams]

  // Depth first: each queue is added after everything downstream of it. In reverse, no queue comes before one that feeds it.
  const met = new Set<QueueSpec>()
  const downstreamFirst: QueueSpec[] = []
  const visit = (queue: QueueSpec) => {
    if (met.has(queue)) return
    met.add(queue)
    for (const next of downstreamOf(queue.arn)) visit(next)
    downstreamFirst.push(queue)
  }
  for (const root of roots) visit(root)
  return downstreamFirst.reverse()
}
