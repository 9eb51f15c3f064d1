import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { channelsEnded, channelsOptedOut } from '#shared/stops/rules/revocation.ts'

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
    ['Stop. Do not call me while I am at work, in fact never', ['call']],
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
    ['You never call me back', []],
    ['I got no call from you', []],
    ['Cancel my appointment', []],
    ["Don't call me before noon", []],
    ['do not call right now please', []],
    ["Please don't text so late tomorrow", []],
    ['Please stop by at noon', []],
    ['I will recall you', []],
    ['I cannot stop thinking of the offer', []],
    ['', []],
  ])('the text %j stops %j', (body, channels) => {
    expect(channelsOptedOut(body)).toEqual(channels)
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
