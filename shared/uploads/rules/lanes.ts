import { numberIn } from '../../http/fields/phone.ts'
import type { LanePlan } from '../upload.ts'
import type { CsvRow } from './csv/rows.ts'

/** Rows of a window for each lane. They are fewer than BATCH, so that a lane with a little more than its share needs no second batch. */
const WINDOW_ROWS = 200

/**
 * Rows of a file that its lanes report together: each batch of a lane lies within one window, so the report of a window is complete when
 * its batches are.
 */
export const windowRows = (plan: LanePlan): number => WINDOW_ROWS * plan.lanes

/** Most lanes of a file. */
export const MOST_LANES = 8
/** Bytes of a file for each of its lanes. A smaller file is read by one worker, in two or three minutes. */
export const LANE_BYTES = 4 * 1024 * 1024

/** How a file of this size is divided; null when one worker reads it. @param by null: its rows cannot be divided */
export const planLanes = (bytes: number, by: Pick<LanePlan, 'columns' | 'by'> | null): LanePlan | null => {
  const lanes = Math.min(MOST_LANES, Math.ceil(bytes / LANE_BYTES))
  return lanes < 2 || by === null ? null : { lanes, ...by, signs: true }
}

/** A notation that ends in the last digits of the number. Others may have an extension, or digits of another script. */
const SIMPLE_NUMBER = /^\+?[\d ().-]+$/
/** Last digits of a phone number that all its notations have: they differ in the country code and in a zero after it. No number is shorter. */
const LAST_DIGITS = 4

const lastDigits = (text: string): string => {
  const number = SIMPLE_NUMBER.test(text) ? text : (numberIn(text) ?? '')
  return number.replace(/\D/g, '').slice(-LAST_DIGITS)
}

/** Digits that decide the lane in old plans. */
const PHONE_DIGITS = 10

/** An extension begins with a letter or a sign. */
const WITHOUT_EXTENSION = /\d[^\p{L}#~]*/u

/** Spellings of one value give the same text. */
const plain = (text: string, by: LanePlan['by']): string => {
  if (by === 'number') return lastDigits(text.trim())
  const usual = text.normalize('NFKC')
  if (by !== 'phone') return usual.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const [number = ''] = WITHOUT_EXTENSION.exec(usual) ?? []
  return number.replace(/\D/g, '').slice(-PHONE_DIGITS)
}

const textOf = (row: CsvRow, { columns, by, signs }: LanePlan): string => {
  if ('problem' in row) return ''
  const texts = columns.map((column) => row.read(column) ?? '')
  const text = by === 'all' ? texts.join('') : (texts.find((one) => one !== '') ?? '')
  return plain(text, by) || (signs ? text.trim().toLowerCase() : '')
}

/** FNV-1a. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  // The low bits of similar texts are similar.
  return (hash ^ (hash >>> 15)) >>> 0
}

/**
 * The lane of a row, from 1. It depends only on the file and the plan, never on the source, which may change while the file is read. Each
 * row must keep its lane, so a change of this function is a migration: tests pin it.
 */
export const laneOf = (row: CsvRow, plan: LanePlan): number => {
  const text = textOf(row, plan)
  return 1 + (text === '' ? row.at.row % plan.lanes : hashOf(text) % plan.lanes)
}
