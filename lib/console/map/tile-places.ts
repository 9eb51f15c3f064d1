/** The states in their rough position, a square for each. The Pacific territories are at the bottom left, the Caribbean ones at the right. */
const ROWS = [
  'AK .. .. .. .. .. .. .. .. .. ME',
  '.. .. .. .. .. .. .. .. .. VT NH',
  'WA ID MT ND MN IL WI MI NY RI MA',
  'OR NV WY SD IA IN OH PA NJ CT ..',
  'CA UT CO NE MO KY WV VA MD DE ..',
  '.. AZ NM KS AR TN NC SC DC .. ..',
  '.. .. .. OK LA MS AL GA .. .. ..',
  'HI .. .. TX .. .. .. .. FL .. ..',
  'GU MP AS .. .. .. .. .. .. PR VI',
]

/** The cells of the map, row by row: the code of a state, or undefined for an empty cell. */
export const TILE_PLACES: readonly (string | undefined)[] = ROWS.flatMap((row) =>
  row.split(' ').map((code) => (code === '..' ? undefined : code)),
)
