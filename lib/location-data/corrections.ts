/**
 * Corrections of the packages' data. The zone of each ZIP was compared with that of its coordinates on the map of zones
 * (timezone-boundary-builder). Where these differ, the county's zone in 49 CFR part 71 counts.
 */

/**
 * States by the first digits of ZIPs that have no state in GeoNames. These are military mail (USPS Publication 28, section 225) and the
 * federal government's own mail. Two bases in Hawaii, which GeoNames lists as military mail, are included.
 */
export const STATES_BY_PREFIX: readonly (readonly [prefix: string, state: string])[] = [
  ['340', 'AA'],
  ['09', 'AE'],
  ['962', 'AP'],
  ['963', 'AP'],
  ['964', 'AP'],
  ['965', 'AP'],
  ['966', 'AP'],
  ['96860', 'HI'],
  ['96863', 'HI'],
  ['569', 'DC'],
]

/** Regions of military mail: they have no zone. */
export const MAIL_REGIONS: ReadonlySet<string> = new Set(['AA', 'AE', 'AP'])

/**
 * Territories, which GeoNames lists as countries, by their only zone. The freely associated states are not jurisdictions of the United
 * States.
 */
export const TERRITORIES: ReadonlyMap<string, string> = new Map([
  ['America/Puerto_Rico', 'PR'],
  ['America/St_Thomas', 'VI'],
  ['Pacific/Guam', 'GU'],
  ['Pacific/Saipan', 'MP'],
  ['Pacific/Pago_Pago', 'AS'],
])

/** ZIPs without a place: an address of Santa Claus. */
export const NOT_PLACES: ReadonlySet<string> = new Set(['88888'])

/** ZIPs whose zone does not belong to their state. */
export const OUTSIDE_THEIR_STATE: ReadonlySet<string> = new Set(['96898'])

interface ZoneCorrection {
  readonly zips: readonly string[]
  readonly zone: string
  readonly reason: string
}

/**
 * One ZIP keeps the zone of the packages, against the law. 57532, Fort Pierre in South Dakota, is in the Mountain zone, but uses the clock
 * of Pierre across the river. The state's hours by that clock, from 09:00 to 21:00, are within the federal hours by both clocks.
 */
export const ZONE_CORRECTIONS: readonly ZoneCorrection[] = [
  {
    zips: ['36854', '36863', '36867', '36868', '36870', '36872', '36877'],
    zone: 'America/Chicago',
    reason:
      'All of Alabama is in the Central zone by law; towns at the border of Georgia keep Eastern time by custom. From 08:00 to 20:00 Central is 09:00 to 21:00 by their clocks.',
  },
  { zips: ['37337', '37338'], zone: 'America/New_York', reason: 'Rhea County, Tennessee, is in the Eastern zone.' },
  { zips: ['37419'], zone: 'America/New_York', reason: 'Chattanooga: Hamilton County, Tennessee, is in the Eastern zone.' },
  { zips: ['37854'], zone: 'America/New_York', reason: 'Roane County, Tennessee, is in the Eastern zone.' },
  { zips: ['40140'], zone: 'America/Chicago', reason: 'Breckinridge County, Kentucky, is in the Central zone.' },
  { zips: ['42603'], zone: 'America/Chicago', reason: 'Clinton County, Kentucky, is in the Central zone.' },
  { zips: ['42716'], zone: 'America/Kentucky/Louisville', reason: 'Larue County, Kentucky, is in the Eastern zone.' },
  { zips: ['47532'], zone: 'America/Indiana/Vincennes', reason: 'Dubois County, Indiana, went back to the Eastern zone in 2007.' },
  { zips: ['47660'], zone: 'America/Chicago', reason: 'Gibson County, Indiana, is in the Central zone.' },
  { zips: ['49807'], zone: 'America/Detroit', reason: 'Delta County, Michigan, is in the Eastern zone.' },
  { zips: ['57601'], zone: 'America/Chicago', reason: 'Mobridge: Walworth County, South Dakota, is in the Central zone.' },
  {
    zips: ['58568'],
    zone: 'America/Chicago',
    reason: 'Selfridge lies in the east of Sioux County, North Dakota, which is in the Central zone.',
  },
  {
    zips: ['58838'],
    zone: 'America/Denver',
    reason: 'Cartwright lies in the west of McKenzie County, North Dakota, south of township 151, which is in the Mountain zone.',
  },
  { zips: ['69165'], zone: 'America/Chicago', reason: 'Lincoln County, Nebraska, is in the Central zone.' },
  { zips: ['79847'], zone: 'America/Denver', reason: 'Salt Flat: Hudspeth County, Texas, is in the Mountain zone.' },
  {
    zips: ['83522'],
    zone: 'America/Los_Angeles',
    reason: 'Cottonwood lies in Idaho County north of the Salmon River, in the Pacific zone.',
  },
  {
    zips: ['86004', '86040'],
    zone: 'America/Phoenix',
    reason: 'Flagstaff and Page lie outside the Navajo Nation, which alone has summer time in Arizona.',
  },
  { zips: ['86502'], zone: 'America/Denver', reason: 'Chambers, Wide Ruins and Klagetoh: most of the ZIP lies in the Navajo Nation.' },
  { zips: ['89024'], zone: 'America/Los_Angeles', reason: 'Mesquite: Clark County, Nevada, is in the Pacific zone.' },
  { zips: ['89883'], zone: 'America/Denver', reason: 'West Wendover, Nevada, went to the Mountain zone in 1999.' },
]
