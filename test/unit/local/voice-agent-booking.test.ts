import { describe, expect, it } from '@jest/globals'
import { allReported, callTo, place, startAgent, startReceiver } from '#test/support/simulated-agent.ts'

const SLOTS = ['2026-11-23T15:00:00+00:00', '2026-11-23T16:00:00+00:00'].map((start_time) => ({ start_time, duration_minutes: 30 }))

/** A call in which the agent books an appointment. `statusOf`: status of the service's answer to a booking. */
const callFor = async (calendar: boolean, statusOf: (tries: number) => number = () => 201, detail = 'The slot is taken.') => {
  const answer = (id: string, tries: number) => (id.startsWith('book-') ? statusOf(tries) : 200)
  const receiver = await startReceiver(answer, (path) => (path.endsWith('/slots/') ? { slots: SLOTS } : { detail }))
  const agent = await startAgent(receiver.url)
  const call = callTo('+12125550005', receiver.url)
  await place(agent, { ...call, calendar })
  await allReported(agent)
  const pathOf = (route: string) => `/api/agents/calls/${call.call_id}/calendar/${route}/`
  const { received } = receiver
  return {
    received,
    booked: received.filter(({ path }) => path === pathOf('book')).map(({ event }) => event.start_time),
    asked: received.filter(({ path }) => path === pathOf('slots')).length,
    completed: received.find(({ event }) => event.type === 'call.completed')?.event.data,
  }
}

describe('an appointment that the simulated agent makes', () => {
  it('the simulated agent books an appointment with the service before the call ends when there is a calendar', async () => {
    const { received, booked, completed } = await callFor(true)
    expect(SLOTS.map(({ start_time }) => start_time)).toContain(booked[0])
    expect(booked).toHaveLength(1)
    const types = received.map(({ path, event }) => event.type ?? path.split('/').at(-2))
    expect(types.indexOf('book')).toBeLessThan(Math.min(types.indexOf('call.ended'), types.indexOf('call.completed')))
    expect(completed).toMatchObject({ outcome: 'appointment_booked' })
    expect(completed).not.toHaveProperty('appointment')
  })

  it('the simulated agent only reports an appointment when there is no calendar', async () => {
    const { asked, booked, completed } = await callFor(false)
    expect({ asked, booked }).toEqual({ asked: 0, booked: [] })
    expect(completed).toMatchObject({ outcome: 'appointment_booked', appointment: { start_time: expect.any(String) } })
  })

  it('the simulated agent requests new slots and books another when its slot is taken', async () => {
    const { asked, booked, completed } = await callFor(true, (tries) => (tries === 0 ? 409 : 201))
    expect({ asked, booked: booked.length }).toEqual({ asked: 2, booked: 2 })
    expect(completed).toMatchObject({ outcome: 'appointment_booked' })
  })

  it('the simulated agent requests the same slot again while the booking is in progress', async () => {
    const { asked, booked } = await callFor(true, (tries) => (tries === 0 ? 409 : 200), 'This appointment is being booked right now.')
    expect(asked).toBe(1)
    expect(booked).toEqual([booked[0], booked[0]])
  })

  it('the simulated agent reports no appointment when the service refuses to book it', async () => {
    const { completed } = await callFor(true, () => 424)
    expect(completed).toMatchObject({ outcome: 'completed' })
  })
})
