import ipaddr from 'ipaddr.js'

/** A minimal writer of the MaxMind DB format, version 2.0: https://maxmind.github.io/MaxMind-DB/ */

type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

interface Network {
  /** `203.0.113.0/24` or `2001:db8::/32`. */
  readonly network: string
  readonly record: Value
}

const [TEXT, UINT16, UINT32, MAP, ARRAY] = [2, 5, 6, 7, 11]
const RECORD_BITS = 24
const SEPARATOR = Buffer.alloc(16)
const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')

/** The control byte, then the extended type's byte, then the size if it does not fit into five bits. */
const control = (type: number, size: number): Buffer => {
  const small = Math.min(size, 29)
  const head = type > 7 ? [small, type - 7] : [(type << 5) | small]
  return Buffer.from(size < 29 ? head : [...head, size - 29])
}

const encode = (value: Value): Buffer => {
  if (typeof value === 'string') return Buffer.concat([control(TEXT!, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(UINT32!, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([control(ARRAY!, value.length), ...value.map(encode)])
  const entries = Object.entries(value as Record<string, Value>)
  return Buffer.concat([control(MAP!, entries.length), ...entries.flatMap(([key, item]) => [encode(key), encode(item)])])
}

const uint16 = (value: number): Buffer => Buffer.concat([control(UINT16!, 2), Buffer.from([value >> 8, value & 255])])

interface Tree {
  children: [Tree | undefined, Tree | undefined]
  data?: number
}

const bitsOf = (network: string, version: 4 | 6): number[] => {
  const [address, length] = ipaddr.parseCIDR(network)
  const bits = address.toByteArray().flatMap((byte) => Array.from({ length: 8 }, (_, bit) => (byte >> (7 - bit)) & 1))
  const used = bits.slice(0, length)
  return version === 6 && address.kind() === 'ipv4' ? [...Array<number>(96).fill(0), ...used] : used
}

/** Writes a database of records by network. In version 6, an IPv4 address gets a prefix of 96 zero bits. */
export const mmdb = (networks: readonly Network[], version: 4 | 6 = 6): Buffer => {
  const root: Tree = { children: [undefined, undefined] }
  const records: Buffer[] = []
  for (const { network, record } of networks) {
    let node = root
    for (const bit of bitsOf(network, version)) {
      node.children[bit] ??= { children: [undefined, undefined] }
      node = node.children[bit]!
    }
    node.data = Buffer.concat(records).length
    records.push(encode(record))
  }

  const nodes: Tree[] = [root]
  for (let index = 0; index < nodes.length; index++) {
    nodes.push(...nodes[index]!.children.filter((child) => child !== undefined && child.data === undefined).map((child) => child!))
  }
  const pointer = (child: Tree | undefined): number => {
    if (!child) return nodes.length
    return child.data === undefined ? nodes.indexOf(child) : nodes.length + SEPARATOR.length + child.data
  }
  const tree = Buffer.alloc(nodes.length * (RECORD_BITS / 4))
  for (const [index, node] of nodes.entries()) {
    tree.writeUIntBE(pointer(node.children[0]), index * 6, 3)
    tree.writeUIntBE(pointer(node.children[1]), index * 6 + 3, 3)
  }

  const numbers = { binary_format_major_version: 2, binary_format_minor_version: 0, ip_version: version, record_size: RECORD_BITS }
  const metadata = Buffer.concat([
    control(MAP!, 9),
    ...Object.entries(numbers).flatMap(([key, number]) => [encode(key), uint16(number)]),
    ...Object.entries({ node_count: nodes.length, build_epoch: 1_790_000_000 }).flatMap(([key, number]) => [encode(key), encode(number)]),
    ...[encode('database_type'), encode('Test-City'), encode('languages'), encode(['en']), encode('description'), encode({ en: 'Test' })],
  ])
  return Buffer.concat([tree, SEPARATOR, ...records, MARKER, metadata])
}
