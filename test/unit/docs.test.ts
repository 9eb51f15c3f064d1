import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { DOCUMENTS, type Document, PROJECT, README } from '#test/support/guides.ts'

/** The text outside fenced blocks. */
const proseOf = ({ text }: Document): string => text.replace(/^( *)(`{3,}).*\n[\s\S]*?^ *\2$/gm, '')

/** The anchor that GitHub gives to a heading. */
const slugOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** The anchors of a document. A repeated heading gets a number. */
const anchorsOf = (document: Document): Set<string> => {
  const anchors = new Set<string>()
  for (const [, heading = ''] of proseOf(document).matchAll(/^#{1,6} +(.*?) *$/gm)) {
    const slug = slugOf(heading)
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

const anchors = new Map(DOCUMENTS.map((document) => [document.path, anchorsOf(document)]))

const isInProject = (target: string): boolean => !/^[a-z]+:/.test(target)

/** Links of a document to missing files or headings of this project. */
const brokenLinksOf = (document: Document): string[] =>
  [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter(isInProject)
    .filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? document.path : normalize(join(dirname(document.path), path))
      if (!existsSync(join(PROJECT, file))) return true
      return anchor !== undefined && anchors.get(file)?.has(anchor) !== true
    })

describe('the documentation', () => {
  it.each(DOCUMENTS.map((document) => [document.path, document] as const))('the document %s has no broken link', (_, document) => {
    expect(brokenLinksOf(document)).toEqual([])
  })

  it('the README links to each document', () => {
    const linked = new Set([...proseOf(README).matchAll(/\]\((docs\/[^)#]+)/g)].map(([, path]) => path))
    expect(DOCUMENTS.filter((document) => document !== README && !linked.has(document.path)).map(({ path }) => path)).toEqual([])
  })

  it('the README has at most 200 lines', () => {
    expect(README.text.split('\n').length - 1).toBeLessThanOrEqual(200)
  })
})
