// Google's own texts of refusals, and texts that only look like them.

import { describe, expect, it } from '@jest/globals';
import { refusalOf } from '../../../src/platform/apps-script/refusal';

describe('a refusal', () => {
  it.each([
    'You do not have permission to call UrlFetchApp.fetch',
    'Specified permissions are not sufficient to call UrlFetchApp.fetch. Required permissions: x',
    'Authorization is required to perform that action.',
    'Authorisation is required to perform that action.',
  ])('of a permission: %s', (message) => {
    expect(refusalOf(new Error(message))).toBe('not-permitted');
  });

  it.each([
    'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
    'You are trying to edit a protected range.',
  ])('of protected cells: %s', (message) => {
    expect(refusalOf(new Error(message))).toBe('protected');
  });

  it.each([
    'Service invoked too many times for one day: urlfetch.',
    'Service called too frequently in one day: properties get.',
  ])('of a day: %s', (message) => {
    expect(refusalOf(new Error(message))).toBe('google-limit');
  });

  it.each([
    'DNS error: https://permission.example.com/v1/analyze',
    'Service invoked too many times in a short time: urlfetch. Try Utilities.sleep(1000)',
    'Exceeded maximum execution time',
    'Argument too large: value',
  ])('is not: %s', (message) => {
    expect(refusalOf(new Error(message))).toBeUndefined();
    expect(refusalOf(message)).toBeUndefined();
    expect(refusalOf(undefined)).toBeUndefined();
  });
});
