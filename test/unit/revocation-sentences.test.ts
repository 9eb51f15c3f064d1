import { describe, expect, it } from '@jest/globals'
import { channelsEndedByName, channelsOptedOut } from '#shared/stops/rules/revocation.ts'

describe('a text of several sentences or items', () => {
  it.each([
    'Your texts, emails and calls must stop',
    'These texts, calls must stop',
    'Your texts as well as calls must stop',
    'Stop me from getting texts or calls',
    'Stop me from getting texts, calls and emails',
  ])('each item of a list is stopped: %j', (body) => expect(channelsOptedOut(body)).toEqual(['call', 'sms']))

  it.each([
    'Please stop this. I never authorized these calls',
    'Please stop this. You may not call me',
    'Please stop this and cancel all calls',
    'Stop this! I want the calls to end',
  ])('a "stop" beside a phrase about calls is about these texts: %j', (body) => expect(channelsOptedOut(body)).toEqual(['call', 'sms']))

  it.each([
    'I do not want the calls. To stop them I will sue',
    "I don't want your calls to stop me from working",
    'No calls are ok with me',
  ])('a refusal counts whatever follows it: %j', (body) => expect(channelsEndedByName(body)).toEqual(['call']))

  it.each(["Don't call. Text or email me", 'Please do not call; text or e-mail me', 'No calls. Texts or emails work best'])(
    'the next sentence may ask for texts: %j',
    (body) => expect(channelsOptedOut(body)).toEqual(['call']),
  )

  it.each([
    'I am not opting out',
    "I don't rescind my consent",
    "I won't take back my consent",
    'Is my consent revoked?',
    '¿Por qué no llamar?',
    'Checked my phone, no calls from you',
    'Any news? No calls lately',
    'The calls have to stop before 9pm',
    'Please refrain from calling before 9',
    'I get calls stopped by my spam filter',
    'how to cancel calls?',
    'No, calls are fine',
  ])('who denies, asks, reports or names a time stops nothing: %j', (body) => expect(channelsOptedOut(body)).toEqual([]))
})
