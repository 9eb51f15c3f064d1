import { describe, expect, it } from '@jest/globals'
import { channelsEndedByName, channelsOptedOut } from '#shared/stops/rules/revocation.ts'

const BOTH = ['call', 'sms']

describe('a text message that refers to an earlier request, to a list or to consent', () => {
  it.each<[string, string, readonly string[]]>([
    ['a repeated request stops what it names', 'I already told you not to call me', ['call']],
    ['a repeated request stops what it names', 'told you not to call', ['call']],
    ['a repeated request stops what it names', 'I said not to text', ['sms']],
    ['a repeated request in the passive is one too', 'I asked you multiple times not to be called', ['call']],
    ['a repeated request stops only what it forbids', 'I told you to text me, not to call', ['call']],
    ['a request that names a place and no time is for good', 'I told you not to call me at work', ['call']],
    ['"ever" makes a request with a time one for good', 'I told you not to call me before or after work ever', ['call']],
    ['a wish is a request', 'I prefer not to be contacted', BOTH],
    ['a prohibition is a request', "You're not supposed to text this number", ['sms']],
    ['a prohibition is a request', 'You are not to call me', ['call']],
    ['a request to leave the list ends both', "I'd like to be removed from your list", BOTH],
    ['a request to leave the list ends both', "I'd like to be taken off your calling list", BOTH],
    ['a request to leave the list ends both', 'I want off your list', BOTH],
    ['a question how to leave the list is a request', 'How do I get off your list?', BOTH],
    ['a request to be removed ends both without a list', 'please have me removed', BOTH],
    ['a request to be removed ends both without a list', 'My number should be removed', BOTH],
    ['a request to be removed ends both without a list', 'Asked to be removed 3 times', BOTH],
    ['a question to be removed is a request', 'Can I be removed please?', BOTH],
    ['"please remove" at the end means the person', 'no longer interested please remove', BOTH],
    ['"remove please" at the end means the person', 'Not interested, remove please', BOTH],
    ['words without blanks count', 'removeme', BOTH],
    ['who says that we have no consent refuses contact', "You don't have my consent to call me", BOTH],
    ['who says that we have no consent refuses contact', 'You have no permission to text me', BOTH],
    ['a denied consent refuses both', 'I did not give consent', BOTH],
    ['a denied consent refuses both', 'I never gave you permission to call me', BOTH],
    ['a denied consent refuses both', 'I never consented', BOTH],
    ['a complaint about missing consent counts as a refusal, because it is doubtful', 'You called me without my consent', BOTH],
    ['"do not disturb" alone asks for no contact', 'do not disturb', BOTH],
    ['"do not disturb" alone asks for no contact', "Please don't disturb me again", BOTH],
    ['another person at the number may ask', "she doesn't want calls", ['call']],
    ['another person at the number may ask', "My wife doesn't want you to call or text", BOTH],
    ['another person at the number may ask', "He doesn't wish to hear from you", BOTH],
  ])('%s: %j stops %j', (_, body, channels) => {
    expect(channelsOptedOut(body)).toEqual(channels)
    expect(channelsEndedByName(body)).toEqual(channels)
  })

  it.each([
    ['a request for another time is none for good, as with "don\'t call me before noon"', "he doesn't want calls before 9"],
    ['a request for another time is none for good, as with "don\'t call me before noon"', 'I told you not to call before 9'],
    ['"not to worry" is about no contact', 'I told you not to worry'],
    ['what others asked of the writer is no request of the writer', 'I was told not to call you'],
    ['what others asked of the writer is no request of the writer', 'They told me not to call the office'],
    ['what the writer asked of others is no request to us', 'I told my wife not to call you'],
    ['a prohibition for the writer is none for us', "I'm not allowed to text at work"],
    ['something else was not given', 'I did not give you the right number'],
    ['the consent of somebody else is missing', 'I did not get permission from my landlord yet'],
    ['the consent of somebody else is missing', 'They never got permission from the HOA'],
    ['consent that is not needed is not denied', "You don't need my consent, just call me"],
    ['consent to something else is denied', "I don't give permission for the inspection"],
    ['consent to something else is denied', 'You do not have permission to enter my yard'],
    ['a form is no consent', 'I did not sign the consent form'],
    ['something else is removed', 'remove the second car from the quote'],
    ['something else is removed', 'The old roof should be removed'],
    ['something else is removed', 'How much is it to remove'],
    ['the person leaves something else than our list', 'I want to be removed from the deed'],
    ['the person leaves something else than our list', "I'd like to be taken off the policy"],
    ['something else comes from a list', 'Which colors can I get from your list?'],
    ['the person wants to stay on the list', "I don't want to be removed from your list"],
    ['a phone in this mode reports itself', 'Do not disturb is on until 5, I will reply later'],
    ['something else is not wanted', "He doesn't want solar"],
  ])('%s: %j stops nothing', (_, body) => {
    expect(channelsOptedOut(body)).toEqual([])
  })
})
