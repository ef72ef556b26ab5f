// What the build writes shorter means what it meant before.
import { describe, expect, it } from '@jest/globals';
import { SIGNS, withNamedValues } from '../../../scripts/build/named-values';

/** A namespace as the minifier leaves it, and what it is worth before and after. */
function bothOf(body: string) {
  const code = `var Space=(()=>{${body}})();`;
  const named = withNamedValues(code);
  const worth = (script: string): unknown => new Function(`${script};return Space`)();
  return { named, before: worth(code), after: worth(named) };
}

describe('values with a name', () => {
  it('are nothing, nowhere and the types of things, wherever they stand', () => {
    const asked = ['string', 'number', 'object'].map((type) => `"${type}"==typeof e`).join();
    const { named, before, after } = bothOf(
      `let a=e=>[${asked},"string"!=typeof e.a,null===e,void 0===e];` +
        'return[a("x"),a(1),a({a:"y"}),a({}),a([])]',
    );
    expect(after).toEqual(before);
    expect(named).not.toMatch(/null===|"string"!=typeof/);
  });

  it('leave alone what may not be there, what stands in parentheses, and other types', () => {
    const { named, before, after } = bothOf(
      'let a=e=>["object"==typeof Absent,"object"==typeof(0,e),"function"==typeof e,"object"!=typeof e];return a(()=>1)',
    );
    expect(after).toEqual(before);
    expect(named).toContain('"object"==typeof Absent');
    expect(named).toContain('"object"==typeof(0,e)');
  });

  it('are makers of things too, and not the members that are called like them', () => {
    const { named, before, after } = bothOf(
      'let a={Map:1,String:e=>String(e)},b=new Map([[1,null]]);' +
        'return[a.Map,a.String(2),b.get(1),Number("3"),Number.isFinite(4),new Date(5).getTime(),Object.keys(a)]',
    );
    expect(after).toEqual(before);
    expect(named).toContain('.Map');
    expect(named).not.toContain('new Map');
  });

  it('keep the blanks that words need', () => {
    const { before, after } = bothOf(
      'let a=e=>{if(1 in e)return null;return"string"==typeof e[2]?void 0:null};return[a([1,2]),a(["x"]),a([,,"y"])]'.replace(
        '[,,"y"]',
        '{2:"y"}',
      ),
    );
    expect(after).toEqual(before);
  });

  it.each(SIGNS)('are refused where a parameter %s would hide one of them', (sign) => {
    expect(() => bothOf(`return[1].map((${sign},e)=>void 0===e)`)).toThrow(sign);
    expect(() => bothOf(`return[1].map(({${sign}})=>null)`)).toThrow(sign);
    expect(bothOf(`return[{${sign}:1}].map(e=>e.${sign})`).after).toEqual([1]);
  });
});
