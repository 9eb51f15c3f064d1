import { describe, expect, it } from '@jest/globals'
import { keyPatternOf } from '#lib/reference/hot-keys/key-patterns.ts'
import { leadHolder, leadTypeHolder, litigatorHolder, partOf } from '#shared/backlog/rules/holders.ts'
import * as keys from '#shared/platform/keys.ts'

/** Golden keys: a change of a key is a migration of every existing table. */
describe('keys', () => {
  it.each([
    [keys.leadKey(12), 'LEAD#12', 'LEAD'],
    [keys.callKey(12, 3), 'LEAD#12', 'CALL#000003'],
    [keys.erasedCallKey(12, 3), 'LEAD#12', 'ERASEDCALL#000003'],
    [keys.smsKey(12, 'a1'), 'LEAD#12', 'SMS#a1'],
    [keys.inboundNumberKey('+12125550100'), 'INBOUND#+12125550100', 'INBOUND'],
    [keys.inboundCallKey(1, 'main', 'p#1'), 'INBOUNDCALL#1#main#p#1', 'INBOUNDCALL'],
    [keys.personKey(1, '+12125550001'), 'PERSON#1#+12125550001', 'PERSON'],
    [keys.phoneKey('1', 'hash'), 'PHONE#1#hash', 'PHONE'],
    [keys.erasureKey('hash', 1), 'ERASURE#hash', 'ERASURE#1'],
    [keys.erasureKey('hash', undefined), 'ERASURE#hash', 'ERASURE#ALL'],
    [keys.linesKey(1), 'LINES#1', 'LINES'],
    [keys.memberKey('shared', 1), 'DNCGROUP#shared', 'USER#1'],
    [keys.litigatorKey('hash'), 'LITIGATOR#hash', 'LITIGATOR'],
    [keys.reassignedKey('hash'), 'REASSIGNED#hash', 'ANSWERS'],
    [keys.delistedLitigatorKey('hash', 0), 'LITIGATOR#hash', 'DELISTED#1970-01-01T00:00:00.000Z'],
    [keys.stopRecordKey('PHONE#1#hash', '0017-0-ab', 'cd'), 'PHONE#1#hash', 'STOP#0017-0-ab#cd'],
    [keys.registryHeadKey('state:TX'), 'REGISTRIES', 'state:TX'],
    [keys.registryImportKey('state:TX', 0), 'REGISTRYIMPORTS', '1970-01-01T00:00:00.000Z#state:TX'],
    [keys.registryVersionKey('national', 'v-1'), 'REGISTRY#national', 'VERSION#v-1'],
    [keys.registryBlockKey('state:TX', 'v-1', 7), 'REGISTRY#state:TX#v-1#7', 'BLOCK'],
    [keys.userKey(1), 'USER#1', 'USER'],
    [keys.apiKeyKey('ab'), 'KEY#ab', 'KEY'],
    [keys.ownedApiKeyKey(1, 'ab'), 'USER#1', 'APIKEY#ab'],
    [keys.nameKey('USER', ['acme']), 'OPERATOR', 'USER#acme'],
    [keys.nameKey('LEADTYPE', ['acme', 'solar']), 'OPERATOR', 'LEADTYPE#acme#solar'],
    [keys.leadTypeKey(1, 4), 'USER#1', 'LEADTYPE#4'],
    [keys.agentKey('main'), 'AGENT#main', 'AGENT'],
    [keys.subscriptionKey(1, 5), 'USER#1', 'WEBHOOK#5'],
    [keys.listenersVersionKey(1), 'USER#1', 'LISTENERS'],
    [keys.erasedLeadsKey(1, '2026-11-20'), 'USER#1', 'WEBHOOKS-ERASED#2026-11-20'],
    [keys.sourceKey(1, 'demo'), 'USER#1', 'SOURCE#demo'],
    [keys.ingestionUrlKey('0b0e'), 'INGEST#0b0e', 'INGEST'],
    [keys.emailPointerKey(1, 'Ann@Example.com', 12), 'EMAIL#1#ann@example.com', 'LEAD#0000000012'],
    [keys.externalIdPointerKey(1, 'Crm/1', 12), 'EXT#1#Crm/1', 'LEAD#0000000012'],
    [keys.taskKey('1f0c'), 'TASK#1f0c', 'TASK'],
    [keys.taskKey('5ab3c1de-7b6e-8f0a-9d33-1f7a00000012'), 'TASK#LEAD#18', '5ab3c1de-7b6e-8f0a-9d33-1f7a00000012'],
    [keys.formerNumberMark(1, '+12125550001', 12), 'LEAD#12', 'MARK#PERSON#1#+12125550001'],
    [keys.formerLeadMark(1, '+12125550001', 12), 'PERSON#1#+12125550001', 'MARK#LEAD#12'],
    [keys.inboundCallMark(12, 'INBOUNDCALL#1#main#p'), 'LEAD#12', 'MARK#INBOUNDCALL#1#main#p'],
    [keys.answerMark('+12125550001', 'IDEMPOTENCY#1#ab'), 'IDEMPOTENCY#PHONE#+12125550001', 'MARK#IDEMPOTENCY#1#ab'],
    [keys.uploadKey('1f0c'), 'UPLOAD#1f0c', 'UPLOAD'],
    [keys.uploadKey('1f0c', 3), 'UPLOAD#1f0c', 'LANE#3'],
    [keys.idsKey, 'SEQUENCE', 'IDS'],
    [keys.breakerKey('main'), 'AGENT#main', 'BREAKER'],
    [keys.callbackTimerKey(12, Date.parse('2026-11-20T16:00:00.123Z')), 'LEAD#12', 'TIMER#CALLBACK#2026-11-20T16:00:00.123Z'],
    [keys.idempotencyKey(1, 'ab'), 'IDEMPOTENCY#1#ab', 'IDEMPOTENCY'],
    [keys.throttleKey(1), 'THROTTLE#1', 'THROTTLE'],
    [keys.bulkSlotsKey(1), 'THROTTLE#1', 'BULK'],
    [keys.laneSlotsKey(1), 'THROTTLE#1', 'LANES'],
    [keys.throttleKey(keys.askerAt('0b0e')), 'THROTTLE#INGEST#0b0e', 'THROTTLE'],
    [keys.idempotencyKey(keys.askerAt('0b0e'), 'ab'), 'IDEMPOTENCY#INGEST#0b0e#ab', 'IDEMPOTENCY'],
    [keys.positionsKey(1), 'POSITIONS#1', 'POSITIONS'],
    [keys.holeTotalsKey(1), 'POSITIONS#1', 'POSITIONS#HOLES'],
    [keys.holeGroupKey(1, 2), 'POSITIONS#1', 'HOLEGROUP#2'],
    [keys.holesKey(1, 2), 'POSITIONS#1', 'HOLES#2'],
    [keys.consentRecordKey(1, '+12125550001', 3), 'CONSENT#1#+12125550001', 'RECORD#0000000003'],
    [keys.consentStateKey(1, '+12125550001'), 'CONSENT#1#+12125550001', 'STATE'],
    [keys.leadCountsKey(1, { leadType: 4, source: 'web#1' }), 'STATS#1', 'LEADS#4#web#1'],
    [keys.dayCountsKey(1, '2026-11-20', { leadType: null, source: '' }), 'STATS#1', 'DAY#2026-11-20#-#'],
    [keys.countedSourcesKey(1), 'STATS#1', 'SOURCES'],
    [keys.countedRecordKey('1f0c'), 'COUNTED#1f0c', 'COUNTED'],
  ])('keys of the table keep their stored form, and have a place in the reference of hot keys: %j', (key, pk, sk) => {
    expect(key).toEqual({ pk, sk })
    expect(keyPatternOf(pk)).toBeDefined()
  })

  it('keys of the table keep the stored form of their index values', () => {
    const at = Date.parse('2026-11-20T16:00:00.123Z')
    expect(keys.ownerBlock(1, keys.blockOf(2999))).toBe('OWNER#1#2')
    expect(keys.dueKey(1, 7)).toBe('DUE#1#3')
    expect(keys.dueKeys(1)).toEqual(['DUE#1#0', 'DUE#1#1', 'DUE#1#2', 'DUE#1#3'])
    expect(keys.FORMER_DUE_KEYS).toEqual(['CALL#0', 'CALL#1', 'CALL#2', 'CALL#3'])
    expect(keys.formerKey('WAIT', 1)).toBe('WAIT#1')
    expect(keys.formerKey('PARKED', 1)).toBe('PARKED#1')
    expect(keys.OWNERS_KEYS).toEqual(['OWNERS#0', 'OWNERS#1', 'OWNERS#2', 'OWNERS#3'])
    expect(keys.ownerPlacement(7)).toEqual({ due_key: 'OWNERS#3', due_at: '1970-01-01T00:00:00.000Z#0#7' })
    expect(keys.heldKey('main')).toBe('HELD#main')
    expect(keys.heldKey(partOf('main', 1))).toBe('HELD#main#1')
    expect(keys.BREAKERS).toBe('BREAKERS')
    expect(keys.markKey('main')).toBe('BREAKERS')
    expect(keys.markKey(leadTypeHolder(7))).toBe('BREAKERS')
    expect(keys.markKey(leadHolder(7))).toBe('MARKED#6')
    expect(keys.markKey(litigatorHolder('uY3-_w'))).toBe('MARKED#1')
    expect(keys.MARKED_KEYS).toEqual(Array.from({ length: 16 }, (_, shard) => `MARKED#${shard}`))
    expect(keys.MARKED_PARTS).toBe('PARTS')
    expect(keys.GUARD_SK).toBe('UPSERT')
    expect(keys.parsePointerSk('LEAD#0000000012')).toBe(12)
    expect(() => keys.parsePointerSk(keys.GUARD_SK)).toThrow('pointer')
    expect(keys.parsePhoneGroup('PHONE#a#b#hash')).toBe('a#b')
    expect(() => keys.parsePhoneGroup('LEAD#1')).toThrow('phone')
    expect(keys.parseAgentPk('AGENT#main')).toBe('main')
    expect(keys.parseCallbackTimerSk('TIMER#CALLBACK#2026-11-20T16:00:00.123Z')).toBe(at)
    expect(() => keys.parseCallbackTimerSk('CALL#000001')).toThrow('callback timer')
    expect(keys.watchKey(7)).toBe('WATCH#7')
    expect(keys.taskDueKey('1f0c')).toBe('TASK#15')
    expect(keys.taskIdOf('5ab3c1de-7b6e-4f0a-9d33-1f7a52c4e101', 18)).toBe('5ab3c1de-7b6e-8f0a-9d33-1f7a00000012')
    for (const id of ['1f0c', '5ab3c1de-7b6e-8f0a-9d33-1f7a00000012']) expect(keys.parseTaskKey(keys.taskKey(id))).toBe(id)
    expect(keys.markedPk(keys.formerLeadMark(1, '+12125550001', 12))).toBe('LEAD#12')
    expect(keys.uploadDueKey('1f0c')).toBe('UPLOAD#3')
    expect(keys.uploadShardKey(3)).toBe('UPLOAD#3')
    expect(keys.uploadListKey(7)).toBe('UPLOADS#7')
    expect(keys.parseUploadPk('UPLOAD#1f0c')).toBe('1f0c')
    expect(() => keys.parseUploadPk('TASK#1f0c')).toThrow('upload')
    expect(keys.dueAt(at, 2, 1)).toBe('2026-11-20T16:00:00.123Z#2#1')
    expect(keys.parseDueAt(keys.dueAt(at, 2, 1))).toEqual({ instant: at, attempt: 2, owner: 1 })
  })

  it('keys of counts tell their group again, and sort by day', () => {
    const group = { leadType: null, source: 'a#b\nc' }
    expect(keys.parseCountsSk(keys.leadCountsKey(1, group).sk)).toEqual({ ...group, day: null })
    expect(keys.parseCountsSk(keys.dayCountsKey(1, '2026-11-20', { leadType: 4, source: '' }).sk)).toEqual({
      ...{ day: '2026-11-20', leadType: 4, source: '' },
    })
    expect(() => keys.parseCountsSk(keys.countedSourcesKey(1).sk)).toThrow('counts')
    const [first, last] = keys.dayCountsRange('2026-11-20', '2026-11-21')
    const days = ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'].map(
      (day) => keys.dayCountsKey(1, day, { leadType: 4, source: '~' }).sk,
    )
    expect(days.filter((sk) => first <= sk && sk <= last)).toEqual(days.slice(1, 3))
  })

  it('entries in the change index keep their stored form, and sort by time and id', () => {
    const at = Date.parse('2026-11-20T16:00:00.123Z')
    const list = { owner: 1, leadType: 4, status: 'OPEN', shard: keys.changeShard(19) } as const
    expect(keys.changeListKey(list)).toBe('CHANGES#1#4#OPEN#3')
    expect(keys.changeListKey({ ...list, leadType: null })).toBe('CHANGES#1#-#OPEN#3')
    expect(keys.changedAt(at, 12)).toBe('2026-11-20T16:00:00.123Z#00000c')
    expect(keys.changedAt(at, 2 ** 31 - 1)).toBe('2026-11-20T16:00:00.123Z#zik0zj')
    const inOrder = [keys.changedAt(at, 9), keys.changedAt(at, 35), keys.changedAt(at, 36), keys.changedAt(at + 1, 1)]
    expect(inOrder.toSorted()).toEqual(inOrder)
    expect(keys.parseChangedAt(keys.changedAt(at, 4711))).toEqual({ modified: at, lead: 4711 })
    for (const text of ['', '2026-11-20T16:00:00.123Z#00000C', '2026-99-20T16:00:00.123Z#00000c'])
      expect(() => keys.parseChangedAt(text)).toThrow('change')
  })

  it.each([
    [keys.leadKey(12), 'lead'],
    [keys.callKey(12, 3), 'call'],
    [keys.erasedCallKey(12, 3), undefined],
    [keys.smsKey(12, 'a1'), 'sms'],
    [keys.callbackTimerKey(12, 0), 'timer'],
    [keys.personKey(1, '+12125550001'), 'person'],
    [keys.emailPointerKey(1, 'a b@example.com', 12), 'pointer'],
    [keys.externalIdPointerKey(1, 'line\nbreak UPSERT', 12), 'pointer'],
    [{ pk: 'EXT#1#line\nbreak', sk: keys.GUARD_SK }, 'upsert-guard'],
    [keys.phoneKey('1', 'hash'), 'phone'],
    [keys.stopRecordKey('PHONE#1#hash', '0017-0-ab', 'cd'), 'stop'],
    [keys.linesKey(1), 'lines'],
    [keys.userKey(1), 'user'],
    [keys.leadTypeKey(1, 4), undefined],
    [keys.apiKeyKey('ab'), 'api-key'],
    [keys.deliveryKey({ subscription: 1, shard: 0, time: 0, eventId: 'e' }), 'delivery'],
    [keys.holesKey(1, 2), 'positions'],
    [keys.leadCountsKey(1, { leadType: 4, source: 'web' }), 'statistics'],
    [keys.countedRecordKey('1f0c'), undefined],
    [keys.taskKey('1f0c'), 'task'],
    [keys.formerLeadMark(1, '+12125550001', 12), 'mark'],
    [keys.inboundCallMark(12, 'INBOUNDCALL#1#main#p'), 'mark'],
    [keys.answerMark('+12125550001', 'IDEMPOTENCY#1#ab'), 'mark'],
    [keys.uploadKey('1f0c'), 'upload'],
    [keys.idempotencyKey(1, 'ab'), 'idempotency'],
    [keys.inboundCallKey(1, 'main', 'p#1'), 'inbound-call'],
    [keys.consentRecordKey(1, '+12125550001', 3), 'consent'],
    [keys.consentStateKey(1, '+12125550001'), 'consent-state'],
  ])('a key of the table maps to the type of its item: %j to %s', (key, type) => {
    expect(keys.itemTypeOf(key)).toBe(type)
  })

  it('call ids are made of lead and attempt, and malformed ids are refused', () => {
    expect(keys.callId(12, 3)).toBe('12-3')
    expect(keys.parseCallId('12-3')).toEqual({ lead: 12, attempt: 3 })
    for (const text of ['', '12', '12-', '-3', '012-3', '12-3-4', '12-03', 'a-b', '12-3 ']) expect(keys.parseCallId(text)).toBeUndefined()
  })
})
