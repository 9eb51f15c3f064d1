import type { QueueSpec, ServiceTemplate } from '../model.ts'
import { functionNameOf } from '../template/place.ts'

/**
 * The queues that what a stream tells passes through, upstream before downstream: targets of bus rules, queues whose URL is in the
 * environment of a function that reads a stream, and so on through the functions that consume them. Dead-letter queues are not among them:
 * what is there has been given up. Where queues feed each other in a circle no order is right, and the order in which they are first met is
 * taken.
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

  // Depth first, each queue noted after everything downstream of it; read backwards that is an order in which no queue comes before one
  // that feeds it.
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
