// Generated from the OpenAPI document by npm run generate: do not edit.

/** Every operation by its method and path: what its request takes, and what it answers. */
interface Operations {
  /** Create a lead */
  readonly 'POST /api/leads/': {
    readonly body: CreateLead
    readonly answer: Lead
  }

  /** List leads */
  readonly 'GET /api/leads/': {
    readonly query?:
      | {
          /** Page number, from 1. `last` is the last page. */
          readonly page?: number | 'last' | undefined
          /** Results on one page. More than 100 are reduced to 100. */
          readonly page_size?: number | undefined
          /** Only leads with exactly this phone number, in any notation. */
          readonly phone_number?: string | undefined
          /** Only leads with exactly this email address, in upper or lower case. */
          readonly email?: string | undefined
          /** Only leads with exactly this id in your own system. */
          readonly external_id?: string | undefined
          /** Only leads with this status. Repeat the parameter, or write commas between statuses, for several. */
          readonly status?: readonly LeadStatus[] | undefined
          /** Only leads of this lead type. */
          readonly lead_type?: number | undefined
          /** Only leads that were last changed at this time or later. */
          readonly modified_time_after?: string | undefined
          /** Only leads that were last changed at this time or earlier. */
          readonly modified_time_before?: string | undefined
          /** Only leads that were created at this time or later. Ranges of `created_time` are not combined with status, type, change or order. */
          readonly created_time_after?: string | undefined
          /** Only leads that were created at this time or earlier. */
          readonly created_time_before?: string | undefined
          /** The order of the last change: `modified_time` is the earliest first, as for a synchronisation; `-modified_time` is the latest first. */
          readonly ordering?: 'modified_time' | '-modified_time' | undefined
          /** Place of the page, from the links `next` and `previous`. */
          readonly cursor?: string | undefined
        }
      | undefined
    readonly answer: LeadPage
  }

  /** Create up to 1,000 leads */
  readonly 'POST /api/leads/bulk-create/': {
    readonly body: BulkCreate
    readonly answer: BulkCreateResult
  }

  /** Update up to 1,000 leads */
  readonly 'PATCH /api/leads/bulk-update/': {
    readonly body: BulkUpdate
    readonly answer: BulkUpdateResult
  }

  /** Retrieve the state of an update that was accepted in bulk */
  readonly 'GET /api/tasks/{task_id}/': {
    readonly path: {
      /** The `task_id` of an accepted update. */
      readonly task_id: string
    }
    readonly answer: Task
  }

  /** Retrieve a lead */
  readonly 'GET /api/leads/{id}/': {
    readonly path: {
      /** Id of the lead. */
      readonly id: number
    }
    readonly answer: Lead
  }

  /** Update a lead */
  readonly 'PATCH /api/leads/{id}/': {
    readonly path: {
      /** Id of the lead. */
      readonly id: number
    }
    readonly body?: UpdateLead | undefined
    readonly answer: Lead
  }

  /** Explain why a lead is or is not called */
  readonly 'GET /api/leads/{id}/explain/': {
    readonly path: {
      /** Id of the lead. */
      readonly id: number
    }
    readonly query?:
      | {
          /** The time to ask about, past or future. Default: now. Only the clock changes; everything else is as it is now. */
          readonly at?: string | undefined
          /** Whether to tell what the agent must say. Default: false. */
          readonly disclosures?: boolean | undefined
        }
      | undefined
    readonly answer: Explanation
  }

  /** Schedule a call */
  readonly 'POST /api/leads/{id}/schedule-call/': {
    readonly path: {
      /** Id of the lead. */
      readonly id: number
    }
    readonly body?: ScheduleCall | undefined
    readonly answer: ScheduledCall
  }

  /** List the calls of a lead */
  readonly 'GET /api/leads/{id}/calls/': {
    readonly path: {
      /** Id of the lead. */
      readonly id: number
    }
    readonly query?:
      | {
          /** Page number, from 1. `last` is the last page. */
          readonly page?: number | 'last' | undefined
          /** Results on one page. More than 100 are reduced to 100. */
          readonly page_size?: number | undefined
        }
      | undefined
    readonly answer: CallPage
  }

  /** Update a lead by phone number and email */
  readonly 'PUT /api/leads/update/': {
    readonly body: UpdateLeadByMatch
    readonly answer: Lead
  }

  /** Update a lead by phone number and email */
  readonly 'PATCH /api/leads/update/': {
    readonly body: UpdateLeadByMatch
    readonly answer: Lead
  }

  /** List the times in which a lead may be called */
  readonly 'GET /api/leads/{id}/calling-times/': {
    readonly path: {
      /** Id of the lead. */
      readonly id: number
    }
    readonly query?:
      | {
          /** How many days from now. Default: 14. */
          readonly days?: number | undefined
        }
      | undefined
    readonly answer: CallingTimes
  }

  /** List lead types */
  readonly 'GET /api/lead-types/': {
    readonly query?:
      | {
          /** Page number, from 1. `last` is the last page. */
          readonly page?: number | 'last' | undefined
          /** Results on one page. More than 100 are reduced to 100. */
          readonly page_size?: number | undefined
          /** Only lead types whose name contains every word of this text, in upper or lower case. */
          readonly search?: string | undefined
        }
      | undefined
    readonly answer: LeadTypePage
  }

  /** Retrieve a lead type */
  readonly 'GET /api/lead-types/{id}/': {
    readonly path: {
      /** Id of the lead type. */
      readonly id: number
    }
    readonly answer: LeadType
  }

  /** Preview the calls of a lead type */
  readonly 'GET /api/lead-types/{id}/preview/': {
    readonly path: {
      /** Id of the lead type. */
      readonly id: number
    }
    readonly answer: Preview
  }

  /** Show in which states calls may start */
  readonly 'GET /api/calling-hours/': {
    readonly query?:
      | {
          /** The time to ask about, past or future. Default: now. Only the clock changes; everything else is as it is now. */
          readonly at?: string | undefined
        }
      | undefined
    readonly answer: CallingHours
  }

  /** Record who took over a call in progress */
  readonly 'POST /api/calls/live/': {
    readonly body: UpdateLiveCall
    readonly answer: Call
  }

  /** List the sources of uploads */
  readonly 'GET /api/sources/': {
    readonly query?:
      | {
          /** Page number, from 1. `last` is the last page. */
          readonly page?: number | 'last' | undefined
          /** Results on one page. More than 100 are reduced to 100. */
          readonly page_size?: number | undefined
        }
      | undefined
    readonly answer: SourcePage
  }

  /** Create a URL to upload a file of leads to */
  readonly 'POST /api/ingestion/upload/': {
    readonly body: CreateUpload
    readonly answer: UploadUrl
  }

  /** List your uploads */
  readonly 'GET /api/ingestion/uploads/': {
    readonly query?:
      | {
          /** Page number, from 1. `last` is the last page. */
          readonly page?: number | 'last' | undefined
          /** Results on one page. More than 100 are reduced to 100. */
          readonly page_size?: number | undefined
        }
      | undefined
    readonly answer: UploadPage
  }

  /** Retrieve the progress and the result of an upload */
  readonly 'GET /api/ingestion/uploads/{upload_id}/': {
    readonly path: {
      /** The `upload_id` of an upload. */
      readonly upload_id: string
    }
    readonly answer: Upload
  }

  /** Create a lead from a custom payload */
  readonly 'POST /api/ingest-lead/{id}/': {
    readonly path: {
      /** Id of the ingestion URL. */
      readonly id: string
    }
    readonly body: ForeignLead
    readonly answer: Lead
  }

  /** Create or update a lead from a custom payload */
  readonly 'POST /api/ingest-lead/{id}/upsert/': {
    readonly path: {
      /** Id of the ingestion URL. */
      readonly id: string
    }
    readonly body: ForeignLead
    readonly answer: Lead
  }

  /** List users */
  readonly 'GET /api/users/': {
    readonly query?:
      | {
          /** Page number, from 1. `last` is the last page. */
          readonly page?: number | 'last' | undefined
          /** Results on one page. More than 100 are reduced to 100. */
          readonly page_size?: number | undefined
          /** Only users whose name or id contains every word of this text, in upper or lower case. */
          readonly search?: string | undefined
        }
      | undefined
    readonly answer: ListedUserPage
  }

  /** Retrieve your own user */
  readonly 'GET /api/users/me/': {
    readonly answer: User
  }

  /** Show what happens to your leads now */
  readonly 'GET /api/users/me/activity/': {
    readonly answer: Activity
  }

  /** Pause outbound calls */
  readonly 'POST /api/users/{id}/pause-calls/': {
    readonly path: {
      /** Id of the user. */
      readonly id: number
    }
    readonly body?: PauseCalls | undefined
    readonly answer: AcceptedWork
  }

  /** Unpause and reschedule outbound calls */
  readonly 'POST /api/users/{id}/unpause-calls/': {
    readonly path: {
      /** Id of the user. */
      readonly id: number
    }
    readonly body?: NoFields | undefined
    readonly answer: AcceptedWork
  }

  /** Add a phone number to the do-not-contact list */
  readonly 'POST /api/dnc/': {
    readonly body: EnterOnList
    readonly answer: DncEntry
  }

  /** Look up a phone number on the do-not-contact list */
  readonly 'GET /api/dnc/': {
    readonly query: {
      /** The phone number, in any notation. */
      readonly phone_number: string
      /** Whether to include the latest 100 stops and lifts of the number. Default: false. */
      readonly history?: boolean | undefined
    }
    readonly answer: DncLookUp
  }

  /** Record a consent */
  readonly 'POST /api/consents/': {
    readonly body: GiveConsent
    readonly answer: Consent
  }

  /** List consents and revocations of a phone number */
  readonly 'GET /api/consents/': {
    readonly query: {
      /** The phone number, in any notation. */
      readonly phone_number: string
      /** Page number, from 1. `last` is the last page. */
      readonly page?: number | 'last' | undefined
      /** Results on one page. More than 100 are reduced to 100. */
      readonly page_size?: number | undefined
    }
    readonly answer: ConsentPage
  }

  /** Revoke consent */
  readonly 'POST /api/consents/revoke/': {
    readonly body: RevokeConsent
    readonly answer: Consent
  }

  /** Subscribe to events */
  readonly 'POST /api/webhooks/': {
    readonly body: CreateSubscription
    readonly answer: NewSubscription
  }

  /** List webhook subscriptions */
  readonly 'GET /api/webhooks/': {
    readonly query?:
      | {
          /** Page number, from 1. `last` is the last page. */
          readonly page?: number | 'last' | undefined
          /** Results on one page. More than 100 are reduced to 100. */
          readonly page_size?: number | undefined
          /** Only enabled subscriptions with a failed attempt and no successful one since. */
          readonly status?: 'failing' | undefined
        }
      | undefined
    readonly answer: SubscriptionPage
  }

  /** Try a filter condition */
  readonly 'POST /api/webhooks/check-filter/': {
    readonly body: CheckFilter
    readonly answer: FilterCheck
  }

  /** Delete the subscriptions of a destination */
  readonly 'POST /api/webhooks/delete-by-url/': {
    readonly body: DeleteByUrl
    readonly answer: Deleted
  }

  /** Retrieve a webhook subscription */
  readonly 'GET /api/webhooks/{id}/': {
    readonly path: {
      /** Id of the subscription. */
      readonly id: number
    }
    readonly answer: Subscription
  }

  /** Change a webhook subscription */
  readonly 'PATCH /api/webhooks/{id}/': {
    readonly path: {
      /** Id of the subscription. */
      readonly id: number
    }
    readonly body?: UpdateSubscription | undefined
    readonly answer: Subscription
  }

  /** Delete a webhook subscription */
  readonly 'DELETE /api/webhooks/{id}/': {
    readonly path: {
      /** Id of the subscription. */
      readonly id: number
    }
    readonly answer: undefined
  }

  /** Enable a disabled subscription */
  readonly 'POST /api/webhooks/{id}/enable/': {
    readonly path: {
      /** Id of the subscription. */
      readonly id: number
    }
    readonly body?: NoFields | undefined
    readonly answer: Subscription
  }

  /** Make a new signing secret */
  readonly 'POST /api/users/me/rotate-webhook-secret/': {
    readonly body?: NoFields | undefined
    readonly answer: RotatedSecret
  }

  /** List the deliveries of a subscription */
  readonly 'GET /api/webhooks/{id}/deliveries/': {
    readonly path: {
      /** Id of the subscription. */
      readonly id: number
    }
    readonly query?:
      | {
          /** Page number, from 1. `last` is the last page. */
          readonly page?: number | 'last' | undefined
          /** Results on one page. More than 100 are reduced to 100. */
          readonly page_size?: number | undefined
          /** Only deliveries that the service has given up. They have this status until you send them again. */
          readonly status?: 'failed' | undefined
          /** Place of the page, from the links `next` and `previous` of a list with `status`. */
          readonly cursor?: string | undefined
        }
      | undefined
    readonly answer: DeliveryPage
  }

  /** Send a delivery again */
  readonly 'POST /api/webhooks/{id}/deliveries/{delivery_id}/resend/': {
    readonly path: {
      /** Id of the subscription. */
      readonly id: number
      /** The `delivery_id` of a delivery in the log. */
      readonly delivery_id: string
    }
    readonly body?: NoFields | undefined
    readonly answer: Delivery
  }

  /** Send a test to a subscription */
  readonly 'POST /api/webhooks/{id}/test/': {
    readonly path: {
      /** Id of the subscription. */
      readonly id: number
    }
    readonly body?: NoFields | undefined
    readonly answer: Delivery
  }

  /** Send webhooks about recent calls again */
  readonly 'POST /api/agents/webhooks/replay-recent-chat/': {
    readonly body: ReplayRecentChat
    readonly answer: Replay
  }

  /** Count leads and calls of a period */
  readonly 'GET /api/statistics/': {
    readonly query?:
      | {
          /** The first day, in UTC. Default: the period has 30 days. It has at most 92. */
          readonly from?: string | undefined
          /** The last day, in UTC, which is included. Default: today. */
          readonly to?: string | undefined
          /** Only leads of this lead type. */
          readonly lead_type?: number | undefined
          /** Only leads with exactly this source, and their calls. */
          readonly lead_source?: string | undefined
        }
      | undefined
    readonly answer: Statistics
  }

  /** Check that the service answers */
  readonly 'GET /api/health/': {
    readonly answer: Healthy
  }

  /** Show the state of queues and voice agents */
  readonly 'GET /api/health/details/': {
    readonly answer: ServiceState
  }

  /** The OpenAPI document of this API */
  readonly 'GET /api/schema/': {
    readonly answer: Readonly<Record<string, unknown>>
  }
}

/** The payload of a webhook. Its `trigger` tells which. */
type WebhookPayload = LeadEvent | CallEvent | SmsEvent

interface Lead {
  readonly id: number
  readonly email: string | null
  /** E.164. */
  readonly phone_number: string
  readonly metadata: {
    readonly phone_number: string
    readonly email: string | null
    readonly lead_source: string
    readonly external_id: string | null
    /** In the time zone of all returned datetimes. */
    readonly created_at: string
    readonly [key: string]: unknown
  }
  /** The last change of the lead. A dial or a move of the next call alone does not count. */
  readonly modified_time: string
  readonly created_time: DateTime
  readonly status: LeadStatus
  readonly status_detail: StatusDetail | null
  readonly status_reason: StatusReason | null
  readonly lead_type: number | null
  readonly representative: number | null
  readonly external_id: string | null
  readonly us_state: UsState | null
  readonly lead_source: string
  /** Also null while a setting of the operator holds the lead back. `explain` names the setting. */
  readonly next_call_time: DateTime | null
  readonly next_call_time_reason: NextCallTimeReason | null
  readonly received_time: DateTime
  readonly reengagements_count: number
  readonly last_reengagement_time: DateTime | null
  readonly call_schedule_start_time: DateTime | null
  readonly sms_dnc: boolean
  readonly call_dnc: boolean
}

interface LeadPage {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Lead[]
}

/** Keys that are not lead fields go into `metadata`. The service reads `timezone`, `zip`, `state`, `property_zip`, `property_state` and `ip_address` there; the voice agent gets all of it. Fields that only the service sets are ignored. */
interface CreateLead {
  readonly phone_number: string
  readonly email?: string | null | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
  readonly status?: LeadStatus | undefined
  readonly lead_type?: number | null | undefined
  readonly representative?: number | null | undefined
  readonly external_id?: string | null | undefined
  readonly us_state?: UsState | null | undefined
  readonly lead_source?: string | undefined
  readonly call_schedule_start_time?: string | null | undefined
  readonly min_reengagement_days?: number | undefined
  readonly sms_dnc?: boolean | undefined
  readonly call_dnc?: boolean | undefined
  readonly consent?: GivenConsent | null | undefined
  readonly [key: string]: unknown
}

/** A lead in the format of its provider. */
type ForeignLead = Readonly<Record<string, unknown>>

/** Keys that are not lead fields go into `metadata`. The service reads `timezone`, `zip`, `state`, `property_zip`, `property_state` and `ip_address` there; the voice agent gets all of it. Fields that only the service sets are ignored. Fields that you leave out stay as they are. */
interface UpdateLead {
  readonly email?: string | null | undefined
  readonly phone_number?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
  readonly status?: LeadStatus | undefined
  readonly status_detail?: StatusDetail | null | undefined
  readonly lead_type?: number | null | undefined
  readonly representative?: number | null | undefined
  readonly external_id?: string | null | undefined
  readonly us_state?: UsState | null | undefined
  readonly lead_source?: string | undefined
  readonly sms_dnc?: boolean | undefined
  readonly call_dnc?: boolean | undefined
  readonly [key: string]: unknown
}

/** Keys that are not lead fields go into `metadata`. The service reads `timezone`, `zip`, `state`, `property_zip`, `property_state` and `ip_address` there; the voice agent gets all of it. Fields that only the service sets are ignored. `phone_number` and `email` identify the lead. Without an email, they identify a lead that has none. */
interface UpdateLeadByMatch {
  readonly email?: string | null | undefined
  readonly phone_number: string
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
  readonly status?: LeadStatus | undefined
  readonly status_detail?: StatusDetail | null | undefined
  readonly lead_type?: number | null | undefined
  readonly representative?: number | null | undefined
  readonly external_id?: string | null | undefined
  readonly us_state?: UsState | null | undefined
  readonly lead_source?: string | undefined
  readonly sms_dnc?: boolean | undefined
  readonly call_dnc?: boolean | undefined
  readonly [key: string]: unknown
}

interface BulkCreate {
  readonly leads: readonly CreateLead[]
}

interface BulkCreateResult {
  readonly results: readonly (
    | {
        readonly id: number
        readonly phone_number: string
        readonly external_id: string | null
        readonly action: 'created'
        /** The lead exists and will be called, but not at once: the first message for it could not be sent. */
        readonly enqueue_error?: true | undefined
      }
    | {
        readonly id: number
        readonly phone_number: string
        readonly external_id: string | null
        readonly action: 'reengaged'
      }
    | {
        readonly id: number
        readonly phone_number: string
        readonly external_id: string | null
        readonly action: 'updated'
      }
    | {
        readonly id: null
        readonly action: 'error'
        readonly error: string
      }
  )[]
}

interface BulkUpdate {
  readonly leads: readonly {
    readonly id: number
    readonly email?: string | null | undefined
    readonly phone_number?: string | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
    readonly status?: LeadStatus | undefined
    readonly status_detail?: StatusDetail | null | undefined
    readonly lead_type?: number | null | undefined
    readonly representative?: number | null | undefined
    readonly external_id?: string | null | undefined
    readonly us_state?: UsState | null | undefined
    readonly lead_source?: string | undefined
    readonly sms_dnc?: boolean | undefined
    readonly call_dnc?: boolean | undefined
    readonly [key: string]: unknown
  }[]
}

interface BulkUpdateResult {
  readonly results: readonly (
    | {
        readonly id: number
        readonly action: 'queued'
        readonly task_id: string
      }
    | {
        readonly id: null
        readonly action: 'error'
        readonly error: string
      }
  )[]
}

interface Explanation {
  readonly lead_id: number
  readonly at: DateTime
  /** Whether all gates except `due` pass, and the lead does not wait for the outcome of a call. */
  readonly callable: boolean
  /** Null when something must change first, or when a do-not-call list or an answer will be too old then: see the gates. */
  readonly next_callable_time: DateTime | null
  readonly location: {
    readonly state: string | null
    readonly zip: string | null
    /** The field that the state comes from. */
    readonly source: 'us_state' | 'state' | 'property_state' | 'zip' | 'property_zip' | null
  }
  readonly timezones: readonly string[]
  readonly timezone_source: 'timezone' | 'zip' | 'state' | 'property_zip' | 'property_state' | 'ip' | 'default' | null
  readonly gates: readonly {
    readonly gate: GateName
    readonly passed: boolean
    /** For the gate `due`, also the setting that holds the lead back. */
    readonly detail: string
    /** The data that the gate used. */
    readonly inputs: Readonly<Record<string, unknown>>
    /** The rules that decided. A legal calling rule (`federal`, a state) is followed by the version of the calling rules. A rule of the account or the deployment has no version. */
    readonly rule: string | null
    /** Where the rules are written. */
    readonly citation: string | null
    /** When the gate will pass, if only time is needed. */
    readonly next_time: DateTime | null
  }[]
  /** What the agent must say in a call at this time, by jurisdiction. Only present with `disclosures=true`. */
  readonly disclosures?:
    | readonly {
        /** `federal`, or the code of a state, district or territory. */
        readonly jurisdiction: string
        /** What must be said. */
        readonly say: readonly ('automated_voice' | 'name' | 'company' | 'purpose' | 'callback_number' | 'opt_out' | 'recording')[]
        /** In how many seconds from the start of the conversation. Null: the law names no number. */
        readonly within_seconds: number | null
        /** The duty, in words. */
        readonly what: string
        /** Where it is written. */
        readonly citations: readonly string[]
      }[]
    | undefined
  /** Warnings about the lead, whatever the time. Only present if there are any. */
  readonly remarks?:
    | readonly {
        readonly code: WarningCode
        readonly field: string
        /** As in the header `X-Warnings`. */
        readonly hint?: string | undefined
        readonly detail: string
      }[]
    | undefined
}

interface CallingTimes {
  readonly lead_id: number
  /** Now. */
  readonly from: string
  readonly until: DateTime
  /** The time zones in which the rules are applied. */
  readonly timezones: readonly string[]
  /** The times in which the gates that depend on the time let a call start, the earliest first. */
  readonly times: readonly {
    /** The first instant at which a call may start. */
    readonly from: string
    /** Just after the last instant at which a call may start. */
    readonly until: string
  }[]
  /** The first gate that refuses at any time, until somebody changes something. Null if there is none. */
  readonly blocked_by: {
    readonly gate: GateName
    readonly detail: string
  } | null
  /** When a do-not-call list, an answer about a reassigned number or an exemption becomes too old, before `until`. No calling time is later, unless it is renewed. Null if there is none. */
  readonly refused_later: {
    readonly from: DateTime
    readonly gate: GateName
    readonly detail: string
  } | null
}

interface CallPreview {
  /** Leads that may be called now. */
  readonly callable_now: number
  /** Further leads, by the hour in which their next call may start, in UTC. Only the first 336 hours. Free lines do not count: a lead may wait longer. */
  readonly by_hour: readonly {
    readonly hour: DateTime
    readonly leads: number
  }[]
  /** Leads whose next call may start in an hour after these. */
  readonly later: number
  /** Leads that are not called until somebody changes something, by the gate that refuses them. */
  readonly skipped: readonly {
    readonly gate: GateName
    readonly leads: number
  }[]
}

interface Preview {
  readonly lead_type: number
  /** Leads that are open or wait for a callback. 1,000 stands for 1,000 or more. */
  readonly leads: number
  /** How many of them the preview looked at: those that changed last. */
  readonly looked_at: number
  /** Leads that may be called now. */
  readonly callable_now: number
  /** Further leads, by the hour in which their next call may start, in UTC. Only the first 336 hours. Free lines do not count: a lead may wait longer. */
  readonly by_hour: readonly {
    readonly hour: DateTime
    readonly leads: number
  }[]
  /** Leads whose next call may start in an hour after these. */
  readonly later: number
  /** Leads that are not called until somebody changes something, by the gate that refuses them. */
  readonly skipped: readonly {
    readonly gate: GateName
    readonly leads: number
  }[]
}

interface CallingHours {
  readonly at: DateTime
  /** The states, the District of Columbia and the territories. */
  readonly states: readonly {
    /** The two-letter code. */
    readonly state: string
    readonly name: string
    /** Whether a call may start in every time zone of the state. */
    readonly open: boolean
    readonly detail: string
    /** The rules that decided, as `explain` names them. */
    readonly rule: string | null
    /** Where the rules are written. */
    readonly citation: string | null
    /** How reliable the sources of the state’s rule are. */
    readonly confidence: 'high' | 'medium' | 'low'
    /** The rules that are in force at `at`. */
    readonly rules: readonly {
      /** `federal`, the code of a state, or `account`. */
      readonly rule: string
      /** The first local day of this text of the rule. Null: since before the data begins. */
      readonly from: string | null
      /** The local day on which another text replaces it. Null: none is known. */
      readonly until: string | null
    }[]
    /** The first time, not before `at`, at which a call may start in every time zone. Null if there is none within 400 days. */
    readonly next_time: DateTime | null
    readonly timezones: readonly {
      readonly timezone: string
      /** Whether a call may start in this time zone. */
      readonly open: boolean
      /** When calls may start on the local day. Null if they may not start on this day. */
      readonly window: {
        /** The first instant at which a call may start. */
        readonly from: string
        /** Just after the last instant at which a call may start. */
        readonly until: string
      } | null
      /** The first time, not before `at`, at which a call may start. Null if there is none within 400 days. */
      readonly next_time: DateTime | null
    }[]
  }[]
}

interface ScheduleCall {
  /** When to call. Null or left out: at the next available time. */
  readonly call_time?: string | null | undefined
}

interface ScheduledCall {
  readonly id: number
  readonly scheduled: boolean
  /** When the lead is called next: by this request, or as planned before. */
  readonly next_call_time: DateTime | null
  readonly next_call_time_reason: NextCallTimeReason | null
  readonly detail: string
}

interface Call {
  readonly call_id: string
  readonly lead: number
  readonly call_direction: 'outbound' | 'inbound'
  readonly call_status: CallStatus
  readonly attempt: number
  readonly outcome: CallOutcome | null
  /** Why a call is `FAILED` or `UNKNOWN`, or why a `QUEUED` call is not `DIALING` yet. */
  readonly failure_reason: string | null
  readonly is_contact: boolean | null
  readonly started_time: DateTime | null
  readonly answered_time: DateTime | null
  readonly ended_time: DateTime | null
  readonly duration_seconds: number | null
  readonly summary: string | null
  readonly representative: Readonly<Record<string, unknown>> | null
  readonly external_ids: Readonly<Record<string, unknown>> | null
  readonly transfer: {
    readonly mode: string | null
    readonly destination: string | null
    readonly status: TransferStatus
    readonly initiated_time: DateTime | null
    readonly connected_time: DateTime | null
    readonly ended_time: DateTime | null
  } | null
}

interface CallPage {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Call[]
}

interface Task {
  readonly task_id: string
  readonly status: TaskStatus
  readonly error: string | null
  readonly lead: number
  readonly updated_time: DateTime
}

interface Source {
  /** Its name: send it as `source` when you ask for the URL of an upload. */
  readonly key: string
  /** Type of the leads that it creates. Null: your default type. */
  readonly lead_type: number | null
  /** The effect of a row. `create`: a new lead. `upsert`: an update of the lead that the lookup column finds, or else a new lead. `update`: an update only. */
  readonly mode: 'create' | 'upsert' | 'update'
  /** The column whose value finds the lead of a row. Null in the mode `create`. */
  readonly lookup_column: string | null
  readonly columns: readonly {
    /** The name of the column, and alternative names. Case does not count, and spaces and underscores are alike. */
    readonly names: readonly string[]
    /** Where the value goes: a lead field, `metadata.<key>`, or `metadata`. */
    readonly field: string
    /** Whether a row without a value is rejected. */
    readonly required: boolean
    /** Whether the values of all these columns are joined. Otherwise the first value counts. */
    readonly joined: boolean
  }[]
}

interface SourcePage {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Source[]
}

interface CreateUpload {
  /** The name of a source holds only English letters, digits, _ and -, such as daily-leads. */
  readonly source: string
  /** A file name begins with an English letter or a digit. It holds only these, spaces, dots, _ and -, such as leads-2026-11.csv. */
  readonly filename: string
  /** Whether to only report what would happen to each row. No lead is written, and nobody is called. Default: false. */
  readonly dry_run?: boolean | undefined
}

interface UploadUrl {
  /** Send the file as the body of a PUT request to this URL, with any content type, within one hour. */
  readonly signed_url: string
  readonly upload_id: string
  /** Only for a dry run. */
  readonly dry_run?: true | undefined
}

interface Upload {
  readonly upload_id: string
  readonly source: string
  readonly filename: string
  readonly status: UploadStatus
  /** Rows so far: `created + updated + unchanged + rejected`. */
  readonly rows: number
  readonly created: number
  /** Also counted in `updated`. */
  readonly reengaged: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  /** Rows that were accepted but may surprise you, by the code of the warning. Only present if there are any. */
  readonly warnings?: Readonly<Record<string, number>> | undefined
  /** Lines of the file at which the rows with a warning begin, by the code of the warning: the first 20 of each. Only present if there are any. */
  readonly warning_lines?: Readonly<Record<string, readonly number[]>> | undefined
  /** Present only if the upload is a dry run. The counts then say what would happen, and no lead is written. */
  readonly dry_run?: true | undefined
  /** Only for a dry run: when the leads could be called if the file were sent now. Counts each row so far that would create or update a lead, also if two rows are about one lead. Null if an older version counted some of the rows. */
  readonly preview?: CallPreview | null | undefined
  /** Why the upload failed, or another remark about it. */
  readonly error: string | null
  /** A CSV of the rejected rows with line, column, value and message. The URL is valid for at least an hour from the answer. A later answer has another URL. Null for a dry run. */
  readonly rejected_url: string | null
  /** Only for a dry run: a CSV of all rows with line, result, lead, column, value and message. Null until it is complete. The URL is valid for at least an hour from the answer. A later answer has another URL. */
  readonly report_url?: string | null | undefined
  readonly created_time: DateTime
  readonly finished_time: DateTime | null
  /** Rows per second from the start of processing until now or until its end. Null before the start. */
  readonly rate: number | null
}

interface UploadPage {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Upload[]
}

interface LeadType {
  readonly id: number
  readonly name: string
  readonly lead_metadata_fields: readonly {
    /** The key of the value in the `metadata` of a lead. */
    readonly key: string
    readonly label: string
    readonly helpText: string
    readonly type: string
    readonly required: boolean
  }[]
}

interface LeadTypePage {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly LeadType[]
}

interface User {
  readonly id: number
  readonly name: string
  /** False while staff act for this user. */
  readonly is_staff: boolean
  /** All outbound calls are paused. */
  readonly paused: boolean
  /** Outbound calls are paused for the leads that existed when the pause began. */
  readonly paused_existing_leads: boolean
  readonly dnc_group: string
  readonly lines: {
    /** Maximum number of calls in progress at the same time. */
    readonly limit: number
    readonly in_use: number
  }
  readonly default_lead_type: number | null
}

interface ListedUser {
  readonly id: number
  readonly name: string
  readonly is_staff: boolean
  /** All outbound calls are paused. */
  readonly paused: boolean
  /** Outbound calls are paused for the leads that existed when the pause began. */
  readonly paused_existing_leads: boolean
}

interface ListedUserPage {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly ListedUser[]
}

interface PauseCalls {
  readonly only_existing_leads?: boolean | undefined
}

/** An empty object, or no body at all. */
type NoFields = Readonly<Record<string, never>>

interface AcceptedWork {
  readonly status: string
}

interface EnterOnList {
  readonly phone_number: string
  readonly call_dnc?: boolean | undefined
  readonly sms_dnc?: boolean | undefined
}

interface DncEntry {
  readonly phone_number: string
  readonly call_dnc: boolean
  readonly sms_dnc: boolean
}

interface DncLookUp {
  readonly phone_number: string
  readonly call_dnc: boolean
  readonly sms_dnc: boolean
  /** All flags of the phone number in the group: from the list, or set on a lead. */
  readonly effective: {
    readonly call_dnc: boolean
    readonly sms_dnc: boolean
  }
  /** The latest 100 stops and lifts, the latest first. Only with `history=true`. */
  readonly history?:
    | readonly {
        /** When it was received. */
        readonly time: string
        readonly action: 'stopped' | 'lifted'
        readonly channels: readonly ('call' | 'sms')[]
        /** How it was received. Null, as all that follows, if another user of the group or the operator received it. */
        readonly means: 'api' | 'list' | 'revocation' | 'file' | 'ingestion' | 'call' | 'text' | 'operator' | null
        /** The user who sent the request, or the member of staff who acted for the user. */
        readonly received_by: number | null
        readonly lead: number | null
        readonly upload_id: string | null
        readonly call_id: string | null
        /** The exact words, if they are known. */
        readonly words: string | null
      }[]
    | undefined
}

interface GivenConsent {
  /** `written_seller` is a written consent that names the seller. `none` records that nobody consented. */
  readonly type: 'none' | 'oral' | 'written' | 'written_seller'
  /** When the person gave it. */
  readonly time: string
  /** The words that the person agreed to. */
  readonly proof_text?: string | null | undefined
  /** Where the proof is kept. */
  readonly proof_url?: string | null | undefined
  /** The seller that the consent names. `written_seller` requires it. */
  readonly seller?: string | null | undefined
  /** Where it was received, such as a web form or a call. */
  readonly source?: string | null | undefined
}

interface GiveConsent {
  readonly phone_number: string
  /** `written_seller` is a written consent that names the seller. `none` records that nobody consented. */
  readonly type: 'none' | 'oral' | 'written' | 'written_seller'
  /** When the person gave it. */
  readonly time: string
  /** The words that the person agreed to. */
  readonly proof_text?: string | null | undefined
  /** Where the proof is kept. */
  readonly proof_url?: string | null | undefined
  /** The seller that the consent names. `written_seller` requires it. */
  readonly seller?: string | null | undefined
  /** Where it was received, such as a web form or a call. */
  readonly source?: string | null | undefined
  /** The lead that it belongs to. */
  readonly lead?: number | null | undefined
}

interface RevokeConsent {
  readonly phone_number: string
  /** How the person revoked it, in your words or theirs. */
  readonly how?: string | null | undefined
  /** When the person revoked it. Null or left out: now. Today without a clock time: now. An earlier day: its end, in UTC. */
  readonly time?: string | null | undefined
  /** What is revoked. Left out: calls and text messages. */
  readonly channels?: readonly ('call' | 'sms')[] | undefined
  /** Where it was received, such as a web form or a call. */
  readonly source?: string | null | undefined
}

interface Consent {
  readonly phone_number: string
  /** Counts the records of the phone number, from 1. */
  readonly sequence: number
  readonly kind: 'given' | 'revoked'
  readonly type: 'none' | 'oral' | 'written' | 'written_seller' | null
  /** When the person gave or revoked it. */
  readonly time: string
  readonly proof_text: string | null
  readonly proof_url: string | null
  readonly seller: string | null
  readonly source: string | null
  /** The lead that it was sent with. */
  readonly lead: number | null
  readonly how: string | null
  readonly channels: readonly ('call' | 'sms')[]
  readonly received_time: DateTime
  /** The user, or the member of staff who acted for the user. */
  readonly received_by: number
}

interface ConsentPage {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Consent[]
}

interface Activity {
  readonly paused: boolean
  readonly paused_existing_leads: boolean
  readonly lines: {
    readonly limit: number
    readonly in_use: number
  }
  /** Calls in progress, at most 25 of them. `lines.in_use` counts all. */
  readonly calls: readonly Call[]
  /** Leads that are due and not called yet, because no line is free or something holds them back. */
  readonly overdue: number
  /** 100 stands for 100 or more. */
  readonly due_in_next_hour: number
  /** The leads that come next, those that are overdue first. */
  readonly next_leads: readonly {
    readonly lead: number
    readonly call_time: DateTime
    readonly attempt: number
  }[]
  /** Why many leads are not called, with an entry for each lead type. `explain` says why a single lead is not called. */
  readonly holds: readonly {
    readonly reason: 'PAUSED' | 'LEAD_TYPE' | 'CALLING_HOURS' | 'REGISTRY' | 'REASSIGNED' | 'AGENT_DOWN' | 'NO_AGENT'
    /** Null: leads of all lead types. */
    readonly lead_type: number | null
    /** Null for an agent and for a do-not-call list: their leads stay due, or wait together with those of others. */
    readonly leads: number | null
    /** When the agent is tried again. */
    readonly until: DateTime | null
    readonly detail: string | null
  }[]
}

interface ServiceState {
  /** Approximate numbers of messages. */
  readonly queues: readonly {
    readonly queue: string
    readonly waiting: number
    /** Being handled, or hidden after a failed try. */
    readonly in_flight: number
    /** For a later time. */
    readonly delayed: number
    /** Messages that failed too often. They wait until the operator sends them again. */
    readonly dead_letters: number
  }[]
  /** Voice agents that get no calls until the next try. */
  readonly agents_down: readonly {
    readonly agent: string
    readonly since: DateTime
    readonly until: DateTime
    readonly reason: string
  }[]
}

interface Statistics {
  /** The first day of the period, in UTC. */
  readonly from: string
  /** The last day of the period, in UTC. */
  readonly to: string
  /** The leads as they are now, whenever they were created. */
  readonly leads: {
    readonly total: number
    readonly by_status: {
      readonly UNKNOWN: number
      readonly NEW: number
      readonly OPEN: number
      readonly CALLBACK_TO_TRANSFER: number
      readonly CLOSED: number
      readonly CLOSED_INCOMPLETE: number
      readonly LOST: number
      readonly SCHEDULE_COMPLETED: number
      readonly OUT_OF_TERRITORY: number
      readonly BAD_NUMBER: number
      readonly CANCELLED: number
    }
  }
  /** Leads that were created in the period. */
  readonly created: number
  readonly calls: {
    /** Calls that began in the period and are over. */
    readonly total: number
    /** Calls by `outcome`. */
    readonly by_outcome: {
      readonly COMPLETED: number
      readonly COMPLETED_CLOSED_LIVE_TRANSFER: number
      readonly COMPLETED_CLOSED_OTHER: number
      readonly COMPLETED_LAST_CALL: number
      readonly COMPLETED_STOP_CALLING: number
      readonly DIAL_BUSY: number
      readonly DIAL_FAILED: number
      readonly DIAL_NO_ANSWER: number
      readonly LEFT_VOICEMAIL: number
      readonly WENT_TO_VOICEMAIL: number
      /** The agent does not know the result, or the result of the call is not known. */
      readonly UNKNOWN: number
      /** The voice agent refused the call, so no phone rang. */
      readonly FAILED: number
    }
    /** Calls by the hour of the day in which they began, in UTC. The first number is that of midnight. */
    readonly by_hour: readonly number[]
    /** Calls by `attempt`. The first number is that of the first call of a lead. The last one is that of the 10th and all further calls. */
    readonly by_attempt: readonly number[]
    /** Calls that reached a person, as `is_contact` says. */
    readonly contacts: number
    /** Calls with the outcome `COMPLETED_CLOSED_LIVE_TRANSFER`. */
    readonly transfers: number
    /** The contacts as a share of all calls but `FAILED` ones. Null without such calls. */
    readonly contact_rate: number | null
    /** The transfers as a share of all calls but `FAILED` ones. Null without such calls. */
    readonly transfer_rate: number | null
  }
  /** Every day of the period, in UTC. A call belongs to the day on which it began. */
  readonly by_day: readonly {
    readonly date: string
    /** Leads that were created in the period. */
    readonly created: number
    /** Calls that began in the period and are over. */
    readonly calls: number
    /** Calls that the voice agent refused. `calls` includes them. */
    readonly failed: number
    /** Calls that reached a person, as `is_contact` says. */
    readonly contacts: number
    /** Calls with the outcome `COMPLETED_CLOSED_LIVE_TRANSFER`. */
    readonly transfers: number
    /** The contacts as a share of all calls but `FAILED` ones. Null without such calls. */
    readonly contact_rate: number | null
    /** The transfers as a share of all calls but `FAILED` ones. Null without such calls. */
    readonly transfer_rate: number | null
    readonly by_outcome: {
      readonly COMPLETED: number
      readonly COMPLETED_CLOSED_LIVE_TRANSFER: number
      readonly COMPLETED_CLOSED_OTHER: number
      readonly COMPLETED_LAST_CALL: number
      readonly COMPLETED_STOP_CALLING: number
      readonly DIAL_BUSY: number
      readonly DIAL_FAILED: number
      readonly DIAL_NO_ANSWER: number
      readonly LEFT_VOICEMAIL: number
      readonly WENT_TO_VOICEMAIL: number
      /** The agent does not know the result, or the result of the call is not known. */
      readonly UNKNOWN: number
      /** The voice agent refused the call, so no phone rang. */
      readonly FAILED: number
    }
  }[]
  /** The lead types with the most calls first. */
  readonly by_lead_type: readonly {
    readonly lead_type: number | null
    /** Leads as they are now, whenever they were created. */
    readonly leads: number
    /** Leads that were created in the period. */
    readonly created: number
    /** Calls that began in the period and are over. */
    readonly calls: number
    /** Calls that the voice agent refused. `calls` includes them. */
    readonly failed: number
    /** Calls that reached a person, as `is_contact` says. */
    readonly contacts: number
    /** Calls with the outcome `COMPLETED_CLOSED_LIVE_TRANSFER`. */
    readonly transfers: number
    /** The contacts as a share of all calls but `FAILED` ones. Null without such calls. */
    readonly contact_rate: number | null
    /** The transfers as a share of all calls but `FAILED` ones. Null without such calls. */
    readonly transfer_rate: number | null
  }[]
  /** The lead sources with the most calls first. Leads without a source have an empty one. After the first 50 sources, all further ones count as `(other)`. */
  readonly by_lead_source: readonly {
    readonly lead_source: string
    /** Leads as they are now, whenever they were created. */
    readonly leads: number
    /** Leads that were created in the period. */
    readonly created: number
    /** Calls that began in the period and are over. */
    readonly calls: number
    /** Calls that the voice agent refused. `calls` includes them. */
    readonly failed: number
    /** Calls that reached a person, as `is_contact` says. */
    readonly contacts: number
    /** Calls with the outcome `COMPLETED_CLOSED_LIVE_TRANSFER`. */
    readonly transfers: number
    /** The contacts as a share of all calls but `FAILED` ones. Null without such calls. */
    readonly contact_rate: number | null
    /** The transfers as a share of all calls but `FAILED` ones. Null without such calls. */
    readonly transfer_rate: number | null
  }[]
}

interface CreateSubscription {
  readonly url: string
  readonly trigger: readonly Trigger[]
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | null | undefined
  /** `has('a.b')`, `get('a.b', default)`, `a.b`, `a['b']`, `==`, `!=`, `and`, `or`, parentheses. Blank always fires. */
  readonly filter_condition?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | null | undefined
}

interface NewSubscription {
  readonly id: number
  readonly url: string
  readonly trigger: readonly Trigger[]
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly filter_condition: string
}

interface Subscription {
  readonly id: number
  readonly url: string
  readonly trigger: readonly Trigger[]
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly filter_condition: string
  /** Null while it is enabled. */
  readonly disabled_time: DateTime | null
  /** Why it was disabled. Null while it is enabled. */
  readonly disabled_reason: string | null
}

interface CheckFilter {
  /** `has('a.b')`, `get('a.b', default)`, `a.b`, `a['b']`, `==`, `!=`, `and`, `or`, parentheses. Blank always fires. */
  readonly filter_condition: string
  readonly payload?: Readonly<Record<string, unknown>> | null | undefined
  readonly lead_id?: number | null | undefined
}

interface FilterCheck {
  readonly matches: boolean
}

/** Fields that you leave out stay as they are. */
interface UpdateSubscription {
  readonly url?: string | undefined
  readonly trigger?: readonly Trigger[] | undefined
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | null | undefined
  /** `has('a.b')`, `get('a.b', default)`, `a.b`, `a['b']`, `==`, `!=`, `and`, `or`, parentheses. Blank always fires. */
  readonly filter_condition?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | null | undefined
}

interface SubscriptionPage {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Subscription[]
}

interface DeleteByUrl {
  readonly url: string
}

interface Deleted {
  readonly deleted: number
}

interface RotatedSecret {
  readonly webhook_secret: string
  readonly previous_secret_valid_until: DateTime | null
}

interface Delivery {
  readonly delivery_id: string
  /** The `webhook-id` of every attempt. */
  readonly event_id: string
  readonly trigger: Trigger
  /** Null for a test. */
  readonly lead: number | null
  readonly status: DeliveryStatus
  readonly attempts: readonly {
    readonly time: DateTime
    readonly status_code: number | null
    readonly duration_ms: number
    readonly error: string | null
    /** The first KiB of the answer. */
    readonly response_body: string | null
    /** The `url` of the subscription at that time. Null if it is not known. */
    readonly url: string | null
  }[]
  readonly next_attempt_time: DateTime | null
}

interface DeliveryPage {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Delivery[]
}

interface Chat {
  readonly call_id: string
  readonly call_direction: 'outbound' | 'inbound'
  readonly attempt: number
  readonly outcome: CallOutcome | null
  readonly is_contact: boolean | null
  readonly started_time: DateTime | null
  readonly answered_time: DateTime | null
  readonly ended_time: DateTime | null
  readonly duration_seconds: number | null
  readonly summary: string | null
}

interface TextMessage {
  readonly sms_id: string
  /** The call that the message belongs to. */
  readonly call_id: string
  /** The person's phone number. */
  readonly phone_number: string
  /** `inbound`: the person wrote it. */
  readonly direction: 'inbound' | 'outbound' | null
  readonly body: string | null
  readonly status: string | null
  readonly time: DateTime
}

/** `call` is the call in which the event happened, if it happened in a call. In a replay, it is the latest completed call. */
interface LeadEvent {
  readonly id: number
  readonly email: string | null
  /** E.164. */
  readonly phone_number: string
  readonly metadata: {
    readonly phone_number: string
    readonly email: string | null
    readonly lead_source: string
    readonly external_id: string | null
    /** In the time zone of all returned datetimes. */
    readonly created_at: string
    readonly [key: string]: unknown
  }
  /** The last change of the lead. A dial or a move of the next call alone does not count. */
  readonly modified_time: string
  readonly created_time: DateTime
  readonly status: LeadStatus
  readonly status_detail: StatusDetail | null
  readonly status_reason: StatusReason | null
  readonly lead_type: number | null
  readonly representative: number | null
  readonly external_id: string | null
  readonly us_state: UsState | null
  readonly lead_source: string
  /** Also null while a setting of the operator holds the lead back. `explain` names the setting. */
  readonly next_call_time: DateTime | null
  readonly next_call_time_reason: NextCallTimeReason | null
  readonly received_time: DateTime
  readonly reengagements_count: number
  readonly last_reengagement_time: DateTime | null
  readonly call_schedule_start_time: DateTime | null
  readonly sms_dnc: boolean
  readonly call_dnc: boolean
  /** The `webhook-id`. It stays the same when the event is sent again. */
  readonly event_id: string
  /** When the event happened. */
  readonly event_time: string
  /** Sorts as text in the order of the lead's changes. Events may arrive in another order. Zeros in a test and in a replay. */
  readonly sequence: string
  /** Number of calls so far, in both directions. */
  readonly call_count: number
  /** The latest completed call. */
  readonly last_chat: Chat | null
  /** Only in a test: the lead does not exist. */
  readonly test?: true | undefined
  readonly trigger:
    | 'LEAD_CREATED'
    | 'LEAD_UPDATED'
    | 'LEAD_CLOSED'
    | 'LEAD_CLOSED_INCOMPLETE'
    | 'LEAD_LOST'
    | 'LEAD_SCHEDULE_COMPLETED'
    | 'LEAD_LATE_CALLBACK'
    | 'LEAD_OUT_OF_TERRITORY'
    | 'LEAD_BAD_NUMBER'
    | 'LEAD_CANCELLED'
    | 'LEAD_CALLBACK_TO_TRANSFER'
    | 'LEAD_BEFORE_REENGAGEMENT'
    | 'LEAD_REENGAGEMENT'
    | 'LEAD_FIRST_INBOUND'
    | 'SMS_DNC'
    | 'CALL_DNC'
  readonly call?: Call | undefined
}

interface CallEvent {
  readonly id: number
  readonly email: string | null
  /** E.164. */
  readonly phone_number: string
  readonly metadata: {
    readonly phone_number: string
    readonly email: string | null
    readonly lead_source: string
    readonly external_id: string | null
    /** In the time zone of all returned datetimes. */
    readonly created_at: string
    readonly [key: string]: unknown
  }
  /** The last change of the lead. A dial or a move of the next call alone does not count. */
  readonly modified_time: string
  readonly created_time: DateTime
  readonly status: LeadStatus
  readonly status_detail: StatusDetail | null
  readonly status_reason: StatusReason | null
  readonly lead_type: number | null
  readonly representative: number | null
  readonly external_id: string | null
  readonly us_state: UsState | null
  readonly lead_source: string
  /** Also null while a setting of the operator holds the lead back. `explain` names the setting. */
  readonly next_call_time: DateTime | null
  readonly next_call_time_reason: NextCallTimeReason | null
  readonly received_time: DateTime
  readonly reengagements_count: number
  readonly last_reengagement_time: DateTime | null
  readonly call_schedule_start_time: DateTime | null
  readonly sms_dnc: boolean
  readonly call_dnc: boolean
  /** The `webhook-id`. It stays the same when the event is sent again. */
  readonly event_id: string
  /** When the event happened. */
  readonly event_time: string
  /** Sorts as text in the order of the lead's changes. Events may arrive in another order. Zeros in a test and in a replay. */
  readonly sequence: string
  /** Number of calls so far, in both directions. */
  readonly call_count: number
  /** The latest completed call. */
  readonly last_chat: Chat | null
  /** Only in a test: the lead does not exist. */
  readonly test?: true | undefined
  readonly trigger: 'CALL_COMPLETE' | 'BEFORE_CALLING' | 'CALL_FAILED' | 'CALL_ENDED' | 'CALL_TRANSFER_INITIATED'
  readonly call: Call
}

/** A replay has no `sms`. */
interface SmsEvent {
  readonly id: number
  readonly email: string | null
  /** E.164. */
  readonly phone_number: string
  readonly metadata: {
    readonly phone_number: string
    readonly email: string | null
    readonly lead_source: string
    readonly external_id: string | null
    /** In the time zone of all returned datetimes. */
    readonly created_at: string
    readonly [key: string]: unknown
  }
  /** The last change of the lead. A dial or a move of the next call alone does not count. */
  readonly modified_time: string
  readonly created_time: DateTime
  readonly status: LeadStatus
  readonly status_detail: StatusDetail | null
  readonly status_reason: StatusReason | null
  readonly lead_type: number | null
  readonly representative: number | null
  readonly external_id: string | null
  readonly us_state: UsState | null
  readonly lead_source: string
  /** Also null while a setting of the operator holds the lead back. `explain` names the setting. */
  readonly next_call_time: DateTime | null
  readonly next_call_time_reason: NextCallTimeReason | null
  readonly received_time: DateTime
  readonly reengagements_count: number
  readonly last_reengagement_time: DateTime | null
  readonly call_schedule_start_time: DateTime | null
  readonly sms_dnc: boolean
  readonly call_dnc: boolean
  /** The `webhook-id`. It stays the same when the event is sent again. */
  readonly event_id: string
  /** When the event happened. */
  readonly event_time: string
  /** Sorts as text in the order of the lead's changes. Events may arrive in another order. Zeros in a test and in a replay. */
  readonly sequence: string
  /** Number of calls so far, in both directions. */
  readonly call_count: number
  /** The latest completed call. */
  readonly last_chat: Chat | null
  /** Only in a test: the lead does not exist. */
  readonly test?: true | undefined
  readonly trigger: 'SMS_COMPLETE'
  readonly call?: Call | undefined
  readonly sms?: TextMessage | undefined
}

interface ReplayRecentChat {
  readonly lead_ids: readonly number[]
  readonly triggers: readonly Trigger[]
}

interface Replay {
  /** Queued deliveries: one for each lead, trigger and subscription that has the trigger and whose filter matches. */
  readonly queued: number
  readonly skipped: number
  /** Leads that are not yours, or have no completed call. */
  readonly skipped_lead_ids: readonly number[]
}

interface UpdateLiveCall {
  readonly call_id?: string | null | undefined
  readonly lead_id?: number | null | undefined
  readonly phone_number?: string | null | undefined
  readonly representative?:
    | {
        readonly id?: number | string | null | undefined
        readonly name?: string | null | undefined
        readonly email?: string | null | undefined
        readonly phone_number?: string | null | undefined
        readonly [key: string]: unknown
      }
    | null
    | undefined
  readonly external_id?: string | null | undefined
  readonly external_ids?: Readonly<Record<string, unknown>> | null | undefined
}

interface Healthy {
  readonly status: 'ok'
}

interface Unavailable {
  readonly status: 'unavailable'
}

interface Detail {
  readonly detail: string
}

type FieldErrors = Readonly<Record<string, readonly string[]>>

type DateTime = string

/** - `UNKNOWN`: A client set this status. The lead is not called. - `NEW`: Neither the lead nor its user has a lead type, so the lead is not called yet. - `OPEN`: The lead is called until its calls reach a result. - `CALLBACK_TO_TRANSFER`: The person expects another call: they asked for another call, or nobody could take over the last call. - `CLOSED`: A call reached its goal: the person was transferred or assigned. - `CLOSED_INCOMPLETE`: The service gave up: the last planned call brought no result, or the voice agent kept refusing calls. - `LOST`: The person is not interested or must not be called. - `SCHEDULE_COMPLETED`: An appointment is booked. - `OUT_OF_TERRITORY`: The person is outside the area that the campaign serves. - `BAD_NUMBER`: The number is disconnected or belongs to somebody else. - `CANCELLED`: A client withdrew the lead. */
type LeadStatus =
  | 'UNKNOWN'
  | 'NEW'
  | 'OPEN'
  | 'CALLBACK_TO_TRANSFER'
  | 'CLOSED'
  | 'CLOSED_INCOMPLETE'
  | 'LOST'
  | 'SCHEDULE_COMPLETED'
  | 'OUT_OF_TERRITORY'
  | 'BAD_NUMBER'
  | 'CANCELLED'

/** - `blind_transfer`: The call was forwarded without a check that somebody was there. - `warm_transfer`: A representative took over while the agent was still on the line. - `appointment_booked`: The agent booked an appointment. - `live_handoff_unavailable`: A transfer was tried, and nobody could take over. - `escalation`: The call was forwarded to the escalation destination. - `has_call_dnc`: The person asked not to be called. - `tcpa_litigator`: The agent recognised a known litigator. - `LEAD_ASSIGNED`: The lead was assigned to somebody. - `application_link_sms`: The agent sent a link to an application by text message. */
type StatusDetail =
  | 'blind_transfer'
  | 'warm_transfer'
  | 'appointment_booked'
  | 'live_handoff_unavailable'
  | 'escalation'
  | 'has_call_dnc'
  | 'tcpa_litigator'
  | 'LEAD_ASSIGNED'
  | 'application_link_sms'

/** - `UNKNOWN`: The lead has the status since its creation, or the service gave up the lead without the outcome of a call. - `WEBHOOK`: The update of a live call set the status. - `MANUAL`: An update by a client set the status. - `CHAT`: The outcome of a call set the status. - `REENGAGEMENT`: A newer create of the same person reopened the lead. */
type StatusReason = 'UNKNOWN' | 'WEBHOOK' | 'MANUAL' | 'CHAT' | 'REENGAGEMENT'

/** - `FIRST_CALL`: The first call after creation or reopening. - `NEXT_AVAILABLE_SLOT`: An ordinary further call, at the next step of the cadence or as soon as possible. - `CALLBACK`: A callback that was promised to the person. - `SCHEDULED`: A client scheduled the call. - `REENGAGEMENT`: The first call after a reengagement. - `RESUMED`: The call became due during a pause, which has ended. - `OUTSIDE_WINDOW`: The call was due outside the lawful hours or before `call_schedule_start_time`, and was postponed. - `CAPACITY`: The call is due and waits for a free line or for its voice agent. - `ATTEMPT_CAP`: The phone has had as many calls in 24 hours as are allowed, so the call was postponed. */
type NextCallTimeReason =
  | 'FIRST_CALL'
  | 'NEXT_AVAILABLE_SLOT'
  | 'CALLBACK'
  | 'SCHEDULED'
  | 'REENGAGEMENT'
  | 'RESUMED'
  | 'OUTSIDE_WINDOW'
  | 'CAPACITY'
  | 'ATTEMPT_CAP'

/** - `QUEUED`: The service asks the voice agent to place the call. - `DIALING`: The voice agent has accepted the call, and nobody has answered yet. - `IN_PROGRESS`: Somebody has answered. - `TRANSFERRING`: A transfer has begun and has not ended. - `COMPLETED`: The call is over. - `FAILED`: The voice agent refused the call, so no phone rang. - `UNKNOWN`: The result of the call is not known. The service does not dial this call again. */
type CallStatus = 'QUEUED' | 'DIALING' | 'IN_PROGRESS' | 'TRANSFERRING' | 'COMPLETED' | 'FAILED' | 'UNKNOWN'

/** - `COMPLETED`: A conversation after which further calls may follow, or a person outside the territory. - `COMPLETED_CLOSED_LIVE_TRANSFER`: The person was handed over in the call. - `COMPLETED_CLOSED_OTHER`: The goal was reached in another way: an appointment or an assignment. - `COMPLETED_LAST_CALL`: A conversation without a result, in the last call of the cadence. - `COMPLETED_STOP_CALLING`: The person must not be called again, or does not want to be called again. - `DIAL_BUSY`: The line was busy. - `DIAL_FAILED`: The call could not be connected. - `DIAL_NO_ANSWER`: Nobody answered. - `LEFT_VOICEMAIL`: A voicemail answered, and the agent left a message. - `WENT_TO_VOICEMAIL`: A voicemail answered, and the agent left no message. - `UNKNOWN`: The agent does not know the result, or reported a value that the service does not know. */
type CallOutcome =
  | 'COMPLETED'
  | 'COMPLETED_CLOSED_LIVE_TRANSFER'
  | 'COMPLETED_CLOSED_OTHER'
  | 'COMPLETED_LAST_CALL'
  | 'COMPLETED_STOP_CALLING'
  | 'DIAL_BUSY'
  | 'DIAL_FAILED'
  | 'DIAL_NO_ANSWER'
  | 'LEFT_VOICEMAIL'
  | 'WENT_TO_VOICEMAIL'
  | 'UNKNOWN'

/** - `initiated`: The agent calls the destination. - `connected`: Somebody at the destination is on the line. - `unavailable`: Nobody took over. - `ended`: The person was handed over, and the leg is over. */
type TransferStatus = 'initiated' | 'connected' | 'unavailable' | 'ended'

/** - `pending`: The first attempt or a retry is still to come. - `delivered`: The destination answered 2xx. - `failed`: No further attempt follows: all ten failed, or another attempt would fail in the same way. - `disabled`: The service does not send it, because its subscription is disabled or deleted. */
type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'disabled'

/** - `waiting`: The file has not arrived yet. - `processing`: Rows are being read. - `done`: All rows are counted; some may be rejected. - `failed`: The file could not be read to its end, and `error` tells why. */
type UploadStatus = 'waiting' | 'processing' | 'done' | 'failed'

/** - `queued`: The update is accepted and not applied yet. - `applied`: The lead has the update, except for fields that changed again since. - `failed`: The update could not be applied, and `error` tells why. */
type TaskStatus = 'queued' | 'applied' | 'failed'

/** - `LEAD_CREATED`: A lead was created, by a request or from a file. - `LEAD_UPDATED`: Data collected in a call changed the lead, perhaps while the call is still in progress. - `LEAD_CLOSED`: The lead reached the status `CLOSED`, or was created with it. - `LEAD_CLOSED_INCOMPLETE`: The lead reached the status `CLOSED_INCOMPLETE`, or was created with it. - `LEAD_LOST`: The lead reached the status `LOST`, or was created with it. - `LEAD_SCHEDULE_COMPLETED`: The lead reached the status `SCHEDULE_COMPLETED`, or was created with it. - `LEAD_LATE_CALLBACK`: A promised callback has not started 15 minutes after its time. - `LEAD_OUT_OF_TERRITORY`: The lead reached the status `OUT_OF_TERRITORY`, or was created with it. - `LEAD_BAD_NUMBER`: The lead reached the status `BAD_NUMBER`, or was created with it. - `LEAD_CANCELLED`: The lead reached the status `CANCELLED`, or was created with it. - `LEAD_CALLBACK_TO_TRANSFER`: The lead reached the status `CALLBACK_TO_TRANSFER`. - `LEAD_BEFORE_REENGAGEMENT`: A create reopens this lead with newer data. The payload has the lead as it was before. - `LEAD_REENGAGEMENT`: A create has reopened this lead with newer data. The payload has the lead as it is now. - `LEAD_FIRST_INBOUND`: The person has called for the first time. - `CALL_COMPLETE`: The outcome of a call is known and applied. Further calls may follow, so a lead can have many of these events. - `BEFORE_CALLING`: A call is about to be placed. The payload has the lead and the call as they are before the request to the voice agent. - `CALL_FAILED`: The voice agent refused a call, or the result of the call stays unknown. - `CALL_ENDED`: A call is over, whether or not its outcome is known. - `CALL_TRANSFER_INITIATED`: The voice agent has begun to transfer the call. A call may be transferred several times. - `SMS_COMPLETE`: A text message was exchanged with the person. - `SMS_DNC`: The person must not get text messages any more: `sms_dnc` was set to true. - `CALL_DNC`: The person must not be called any more: `call_dnc` was set to true. */
type Trigger =
  | 'LEAD_CREATED'
  | 'LEAD_UPDATED'
  | 'LEAD_CLOSED'
  | 'LEAD_CLOSED_INCOMPLETE'
  | 'LEAD_LOST'
  | 'LEAD_SCHEDULE_COMPLETED'
  | 'LEAD_LATE_CALLBACK'
  | 'LEAD_OUT_OF_TERRITORY'
  | 'LEAD_BAD_NUMBER'
  | 'LEAD_CANCELLED'
  | 'LEAD_CALLBACK_TO_TRANSFER'
  | 'LEAD_BEFORE_REENGAGEMENT'
  | 'LEAD_REENGAGEMENT'
  | 'LEAD_FIRST_INBOUND'
  | 'CALL_COMPLETE'
  | 'BEFORE_CALLING'
  | 'CALL_FAILED'
  | 'CALL_ENDED'
  | 'CALL_TRANSFER_INITIATED'
  | 'SMS_COMPLETE'
  | 'SMS_DNC'
  | 'CALL_DNC'

/** - `status`: The status is `OPEN` or `CALLBACK_TO_TRANSFER`. - `paused`: Calls of the user or of this lead are not paused. - `dnc`: Neither the lead nor its phone is marked as do-not-call. - `litigator`: The phone is not on the operator's list of litigators. - `registry`: No do-not-call registry that the lead type obeys has the number, or an exemption applies. - `lead_type`: The lead has an active lead type with a voice agent, and this lead type may call the number of the lead. - `consent`: The consent of the phone and the proof in the metadata are as the lead type demands. - `reassigned`: The reassigned numbers database says that the number was not disconnected since the consent, if the lead type demands the check. - `start_time`: `call_schedule_start_time` has passed. - `due`: The planned time of the next call has come. - `window`: The local time is lawful by the rules of the country, the state and the account. - `attempt_cap`: The phone and the lead have had fewer calls than allowed. - `call_in_progress`: No other call to this phone is in progress. - `capacity`: A line is free, and the voice agent is expected to answer. */
type GateName =
  | 'status'
  | 'paused'
  | 'dnc'
  | 'litigator'
  | 'registry'
  | 'lead_type'
  | 'consent'
  | 'reassigned'
  | 'start_time'
  | 'due'
  | 'window'
  | 'attempt_cap'
  | 'call_in_progress'
  | 'capacity'

/** - `AL`: Alabama. - `AK`: Alaska. - `AS`: American Samoa. - `AZ`: Arizona. - `AR`: Arkansas. - `AA`: Armed Forces Americas. - `AE`: Armed Forces Europe. - `AP`: Armed Forces Pacific. - `CA`: California. - `CO`: Colorado. - `CT`: Connecticut. - `DE`: Delaware. - `DC`: District of Columbia. - `FL`: Florida. - `GA`: Georgia. - `GU`: Guam. - `HI`: Hawaii. - `ID`: Idaho. - `IL`: Illinois. - `IN`: Indiana. - `IA`: Iowa. - `KS`: Kansas. - `KY`: Kentucky. - `LA`: Louisiana. - `ME`: Maine. - `MD`: Maryland. - `MA`: Massachusetts. - `MI`: Michigan. - `MN`: Minnesota. - `MS`: Mississippi. - `MO`: Missouri. - `MT`: Montana. - `NE`: Nebraska. - `NV`: Nevada. - `NH`: New Hampshire. - `NJ`: New Jersey. - `NM`: New Mexico. - `NY`: New York. - `NC`: North Carolina. - `ND`: North Dakota. - `MP`: Northern Mariana Islands. - `OH`: Ohio. - `OK`: Oklahoma. - `OR`: Oregon. - `PA`: Pennsylvania. - `PR`: Puerto Rico. - `RI`: Rhode Island. - `SC`: South Carolina. - `SD`: South Dakota. - `TN`: Tennessee. - `TX`: Texas. - `UT`: Utah. - `VT`: Vermont. - `VI`: US Virgin Islands. - `VA`: Virginia. - `WA`: Washington. - `WV`: West Virginia. - `WI`: Wisconsin. - `WY`: Wyoming. */
type UsState =
  | 'AL'
  | 'AK'
  | 'AS'
  | 'AZ'
  | 'AR'
  | 'AA'
  | 'AE'
  | 'AP'
  | 'CA'
  | 'CO'
  | 'CT'
  | 'DE'
  | 'DC'
  | 'FL'
  | 'GA'
  | 'GU'
  | 'HI'
  | 'ID'
  | 'IL'
  | 'IN'
  | 'IA'
  | 'KS'
  | 'KY'
  | 'LA'
  | 'ME'
  | 'MD'
  | 'MA'
  | 'MI'
  | 'MN'
  | 'MS'
  | 'MO'
  | 'MT'
  | 'NE'
  | 'NV'
  | 'NH'
  | 'NJ'
  | 'NM'
  | 'NY'
  | 'NC'
  | 'ND'
  | 'MP'
  | 'OH'
  | 'OK'
  | 'OR'
  | 'PA'
  | 'PR'
  | 'RI'
  | 'SC'
  | 'SD'
  | 'TN'
  | 'TX'
  | 'UT'
  | 'VT'
  | 'VI'
  | 'VA'
  | 'WA'
  | 'WV'
  | 'WI'
  | 'WY'

/** - `no_lead_type`: The lead has no lead type, so nobody calls it. - `not_called_abroad`: The number is outside the North American Numbering Plan, and the lead type does not call such numbers. - `timezone_required`: A number outside the North American Numbering Plan is only called if the lead has a `timezone`. - `unknown_timezone`: The time zone does not exist. Write a time zone such as `America/New_York`. - `unknown_place`: The state or ZIP code does not exist, so it does not tell where the lead is. - `no_place`: The lead has no data about its place. The service calls it only in the default hours, which are short. - `no_state`: The time zone of the lead is known, but not its state. The service cannot apply the hours, Sundays, holidays and daily caps of its state. Send a `us_state` or a `zip`. - `zip_in_other_state`: The ZIP code is in another state, the one in `hint`, than the lead says. Calls keep to the rules of both states. Correct the one that is wrong. - `timezone_outside_state`: The time zone is not one of the state of the lead, which is in `hint`. Calls are made by the clock of this time zone, so they may come at night. Correct the one that is wrong. - `unreadable_day`: The metadata key should hold a day such as 2026-11-20, which the lead type needs before a call. The service cannot read it, and does not use it. - `similar_field`: The metadata key is stored, but has no effect. `hint`: the field that it is similar to, or that belongs outside of `metadata`. A consent under this name is not recorded. - `open_lead`: The lead in `hint` has the same phone number and is open. The person gets the calls of both. - `earlier_row`: Only for rows of files: an earlier row of the same file wrote the lead, and this row changed it. The report of a dry run names the line of the earlier row. - `unknown_parameter`: The route does not take this query parameter. It was ignored. `hint`: the parameter that you probably meant. - `ignored_parameter`: The value of this query parameter was not used, because it is not valid or too large. `hint`: the value that was used instead. - `unknown_filter_field`: No payload has this field, so it is always null in the filter. `hint`: the text in quotes, or the field that you probably meant. - `dnc_listed`: The flag stays true: the number is on your group's do-not-contact list. Only the operator can take it off. - `dnc_raised_again`: The flag stays true, because somebody has set it again in the meantime. */
type WarningCode =
  | 'no_lead_type'
  | 'not_called_abroad'
  | 'timezone_required'
  | 'unknown_timezone'
  | 'unknown_place'
  | 'no_place'
  | 'no_state'
  | 'zip_in_other_state'
  | 'timezone_outside_state'
  | 'unreadable_day'
  | 'similar_field'
  | 'open_lead'
  | 'earlier_row'
  | 'unknown_parameter'
  | 'ignored_parameter'
  | 'unknown_filter_field'
  | 'dnc_listed'
  | 'dnc_raised_again'

export type {
  AcceptedWork,
  Activity,
  BulkCreate,
  BulkCreateResult,
  BulkUpdate,
  BulkUpdateResult,
  Call,
  CallEvent,
  CallingHours,
  CallingTimes,
  CallOutcome,
  CallPage,
  CallPreview,
  CallStatus,
  Chat,
  CheckFilter,
  Consent,
  ConsentPage,
  CreateLead,
  CreateSubscription,
  CreateUpload,
  DateTime,
  DeleteByUrl,
  Deleted,
  Delivery,
  DeliveryPage,
  DeliveryStatus,
  Detail,
  DncEntry,
  DncLookUp,
  EnterOnList,
  Explanation,
  FieldErrors,
  FilterCheck,
  ForeignLead,
  GateName,
  GiveConsent,
  GivenConsent,
  Healthy,
  Lead,
  LeadEvent,
  LeadPage,
  LeadStatus,
  LeadType,
  LeadTypePage,
  ListedUser,
  ListedUserPage,
  NewSubscription,
  NextCallTimeReason,
  NoFields,
  Operations,
  PauseCalls,
  Preview,
  Replay,
  ReplayRecentChat,
  RevokeConsent,
  RotatedSecret,
  ScheduleCall,
  ScheduledCall,
  ServiceState,
  SmsEvent,
  Source,
  SourcePage,
  Statistics,
  StatusDetail,
  StatusReason,
  Subscription,
  SubscriptionPage,
  Task,
  TaskStatus,
  TextMessage,
  TransferStatus,
  Trigger,
  Unavailable,
  UpdateLead,
  UpdateLeadByMatch,
  UpdateLiveCall,
  UpdateSubscription,
  Upload,
  UploadPage,
  UploadStatus,
  UploadUrl,
  User,
  UsState,
  WarningCode,
  WebhookPayload,
}
