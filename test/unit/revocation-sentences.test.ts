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

describe('a short or misspelled text of a person', () => {
  it.each<[string, readonly string[]]>([
    ['Dont msg me', ['sms']],
    ['do not msg me again', ['sms']],
    ['No msgs', ['sms']],
    ['I dont want u calling me', ['call']],
    ['dont want u to call', ['call']],
    ["I don't wanna be called", ['call']],
    ["I don't wanna hear from y'all", ['call', 'sms']],
    ['No further communication', ['call', 'sms']],
    ['Do not communicate with me', ['call', 'sms']],
    ['permission revoked', ['call', 'sms']],
    ['No consent', ['call', 'sms']],
    ['No soliciting', ['call', 'sms']],
    ['No contact, please', ['call', 'sms']],
    ['remove number', ['call', 'sms']],
    ['please take my name off', ['call', 'sms']],
    ['unsubcribe', ['sms']],
    ['unsuscribe', ['sms']],
    ['Unsubscibe me', ['sms']],
    ['STOPP', ['sms']],
    ['cease', ['sms']],
  ])('%j stops %j', (body, channels) => expect(channelsOptedOut(body)).toEqual(channels))

  it.each([
    'No contact yet',
    'No contact lenses',
    'We lost contact, please call',
    'There was no contact',
    'cease fire movie',
    'No consent form came',
    'We had no further communication from the bank',
    'Do not communicate with me before noon',
    'u never call me',
    'u never msg me',
    'Wanna stop by at noon?',
    "I don't wanna text, please phone me",
    'Call me in the U.S. at noon',
    "Please don't take my name off",
    'Please take my name off the deed',
    'Remove number 5 from the quote',
    'How do I subscribe?',
  ])('%j stops nothing', (body) => expect(channelsOptedOut(body)).toEqual([]))
})
