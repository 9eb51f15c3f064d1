import type { Command } from 'commander'
import { addAgents } from './commands/agents.ts'
import { addApply } from './commands/apply.ts'
import { addCheck, addRepair } from './commands/check.ts'
import { addDnc } from './commands/dnc.ts'
import { addDue } from './commands/due.ts'
import { addGet } from './commands/get.ts'
import { addKeys } from './commands/keys.ts'
import { addLead } from './commands/lead.ts'
import { addPerson } from './commands/person.ts'
import { addQueues } from './commands/queues.ts'
import { addQuotas } from './commands/quotas.ts'
import { addReassigned } from './commands/reassigned.ts'
import { addRecords } from './commands/records.ts'
import { addRegistry } from './commands/registry.ts'
import { addReport } from './commands/report.ts'
import type { Runner } from './runner.ts'

/** All commands, in the order in which help lists them. */
export const commands: readonly ((program: Command, run: Runner) => void)[] = [
  addApply,
  addGet,
  addKeys,
  addAgents,
  addLead,
  addDue,
  addReport,
  addQueues,
  addPerson,
  addDnc,
  addRegistry,
  addReassigned,
  addRecords,
  addCheck,
  addRepair,
  addQuotas,
]
