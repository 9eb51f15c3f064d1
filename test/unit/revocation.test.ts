import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { channelsEnded, channelsOptedOut } from '#shared/stops/rules/revocation.ts'

const NO_STOPS = [
  'You never call me back',
  'Never called me back',
  'You never call me',
  'I never text while driving',
  'Never call me before noon',
  'I got no call from you',
  'Cancel my appointment',
  "Don't call me before noon",
  'Do not call or text me before noon',
  'do not call me and text me before noon',
  'I do not want to be called before noon',
  "I don't want calls today",
  "I don't want to text, please phone me",
  'do not call right now please',
  "Please don't text so late tomorrow",
  'Please stop by at noon',
  'Stop by tomorrow.',
  'Can you stop in at the office?',
  'Please stop at my house at 5',
  'Please stop at 5pm',
  'stop in today',
  "Can't stop now, phone me later",
  'I am at the bus stop',
  'No more than two calls a day',
  'I will recall you',
  'I cannot stop thinking of the offer',
  'At the end call me',
  "I'm free at month end. Calls are fine then.",
  "By week's end, texts are best",
  'I did not mean to stop communication, call me',
  "Please don't take my name off your list",
  'Do not delete my information',
  'My husband opted out of Medicare Part B',
  'Alto, TX',
  'I have two cars, no more',
  'No me llames hoy, llámame mañana',
  'Remove my name from the deed',
  'We take off on Monday',
  'I have no more questions',
  'No me llamen antes de las nueve',
  '',
]

describe('a text message of a person', () => {
  it.each<[string, readonly string[]]>([
    ['STOP', ['sms']],
    ['Please stop now, thanks', ['sms']],
    ['opt-out', ['sms']],
    ['STOP TEXTING ME!!', ['sms']],
    ['Don’t text me again', ['sms']],
    ['pls unsubscribe me from this list', ['sms']],
    ['Stop calling this number.', ['call']],
    ["don't ever call me again", ['call']],
    ['Do not call. Do not text.', ['call', 'sms']],
    ['Remove me from your list', ['call', 'sms']],
    ['leave me alone', ['call', 'sms']],
    ["I don't want to be contacted, do not contact me", ['call', 'sms']],
    ['Stop calling and texting me', ['call', 'sms']],
    ['Do not call or text me', ['call', 'sms']],
    ['Do not text or call me again', ['call', 'sms']],
    ['No more texts or calls', ['call', 'sms']],
    ['no calls', ['call']],
    ['STOP CALL', ['call']],
    ['stop all calls', ['call']],
    ['no more calling', ['call']],
    ['Never call me again', ['call']],
    ['Do not call me now or ever', ['call']],
    ["don't call me today or tomorrow or ever", ['call']],
    ['Do not call me during dinner', ['call']],
    ['Do not call me while I am at work, in fact never', ['call']],
    ['Please don`t call me', ['call']],
    ['Put me on your do not call list', ['call']],
    ['stop texts', ['sms']],
    ['STOP STOP', ['sms']],
    ['Stop! I said stop!', ['sms']],
    ['STOP - wrong number', ['sms']],
    ['please stop it', ['sms']],
    ['I revoke consent', ['call', 'sms']],
    ['remove this number', ['call', 'sms']],
    ['take this number off', ['call', 'sms']],
    ['Stop robocalls', ['call']],
    ['Stop robocalling me', ['call']],
    ['Stop spam calls', ['call']],
    ['stop automated calls and texts', ['call', 'sms']],
    ['stop with the calls', ['call']],
    ['Stop the harassment', ['call', 'sms']],
    ['opt out of calls', ['call', 'sms']],
    ['Unsubscribe me from all calls', ['call', 'sms']],
    ['revoke all consent', ['call', 'sms']],
    ['I withdraw any and all prior permission', ['call', 'sms']],
    ['I revoke', ['call', 'sms']],
    ['I do not consent to this', ['call', 'sms']],
    ['CEASE AND DESIST', ['call', 'sms']],
    ['Put me on the DNC list', ['call', 'sms']],
    ["I don't want to hear from you", ['call', 'sms']],
    ['Not interested. STOP', ['sms']],
    ['No thanks, stop', ['sms']],
    ['not interested stop', ['sms']],
    ['I want you to stop', ['sms']],
    ['You need to stop now', ['sms']],
    ['I asked you to stop this', ['sms']],
    ['Please stop this', ['sms']],
    ['Ok stop', ['sms']],
    ['wrong number, stop', ['sms']],
    ['wrong number - stop', ['sms']],
    ['S.T.O.P', ['sms']],
    ['Never call me', ['call']],
    ['Please never text me.', ['sms']],
    ['You will never call me!', ['call']],
    ['never contact me', ['call', 'sms']],
    ['I do not want any more calls', ['call']],
    ['I want no calls', ['call']],
    ['no further texts', ['sms']],
    ['I do not want to be called', ['call']],
    ["I don't want you to call me", ['call']],
    ["I don't want to get your texts", ['sms']],
    ['do not wish to be contacted', ['call', 'sms']],
    ['I no longer wish to receive calls', ['call']],
    ['Stop at once!', ['sms']],
    ['stop for good', ['sms']],
    ['STOP. In future leave my family out of it', ['sms']],
    ['STOP!! By law you must obey', ['sms']],
    ['stop by law', ['sms']],
    ['stop in the future', ['sms']],
    ['STOP. Do not call me', ['call', 'sms']],
    ['They never called me again', []],
    ['REMOVE', ['sms']],
    ['unsub', ['sms']],
    ['DND', ['sms']],
    ['No more', ['sms']],
    ['I already opted out', ['sms']],
    ['Please remove from list', ['call', 'sms']],
    ['take off your list', ['call', 'sms']],
    ['Please take my name off your list', ['call', 'sms']],
    ['remove my phone number from your system', ['call', 'sms']],
    ['take my cell number off', ['call', 'sms']],
    ['Remove my info', ['call', 'sms']],
    ['delete my information', ['call', 'sms']],
    ['discontinue calls', ['call']],
    ['Do not solicit me', ['call', 'sms']],
    ['Please end all communication', ['call', 'sms']],
    ['End messages', ['sms']],
    ['No me llames más', ['call', 'sms']],
    ['No más llamadas', ['call', 'sms']],
    ['Deje de llamarme', ['call', 'sms']],
    ['Alto', ['sms']],
  ])('the text %j stops %j', (body, channels) => {
    expect(channelsOptedOut(body)).toEqual(channels)
  })

  it('a text that asks for no stop does not ask for one in other letters, with other punctuation, or beside another such text', () => {
    const written = fc.constantFrom(
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase(),
      (text: string) => text,
    )
    const said = fc.tuple(fc.constantFrom(...NO_STOPS), fc.constantFrom('.', '!', '?!', '...', '\n'), written)
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 3 }), (all) => {
        expect(channelsOptedOut(all.map(([text, end, write]) => `${write(text)}${end}`).join(' '))).toEqual([])
      }),
      { examples: NO_STOPS.map((text) => [[[text, '', (same: string) => same]]]) },
    )
  })

  it('a phrase that revokes is found whatever stands around it', () => {
    const words = fc.stringMatching(/^[a-z0-9 ,.!\n]{0,40}$/)
    fc.assert(
      fc.property(words, words, fc.constantFrom('remove me', 'Stop contacting', 'LEAVE ME ALONE'), (before, after, phrase) => {
        expect(channelsOptedOut(`${before} ${phrase}. ${after}`)).toEqual(['call', 'sms'])
      }),
    )
  })
})

describe('a stop on one channel', () => {
  it('a stop on one channel ends all channels from the day on which the law says so', () => {
    expect(channelsEnded(['sms'], 99, 100)).toEqual(['sms'])
    expect(channelsEnded(['sms'], 100, 100)).toEqual(['call', 'sms'])
    expect(channelsEnded([], 100, 100)).toEqual([])
  })
})
