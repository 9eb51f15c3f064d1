/** Sets a value as the last one of the map. If the map then has more than `most`, it forgets the first one. */
export const setLatest = <K, V>(map: Map<K, V>, key: K, value: V, most: number): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest = key] = map.keys()
  if (map.size > most) map.delete(oldest)
}
