// What a title says: "Unit cost (ex VAT)" is a cost, of a unit, without VAT. A title is read whole. Each of
// its words must say something, else it is a question what the column holds. Pure.

import { titleOf, visibleText } from '../product/cell-text';
import type { QuantityReading } from '../product/cost';
import type { VatSide } from '../product/vat';

/** What a column of a list may hold. */
export type ColumnRole =
  | ('product' | 'barcode' | 'name' | 'market' | 'supplier' | 'itemNumber' | 'cost' | 'pack')
  | ('multipack' | 'discount' | 'prep' | 'shipping' | 'other' | 'vatRate' | 'salesTax')
  | ('quantity' | 'ordered');

/** The words of a title by what they say. Letters are in lower case; capitals are phrases, see below. */
const WORDS = {
  cost: 'cost costs cog cogs',
  price: 'price prices pricing wsp',
  trade: 'wholesale trade',
  buying: 'buy buying bought purchase dealer invoice paid',
  supplier: 'supplier suppliers vendor vendors distributor wholesaler sup',
  source: 'source sourcing',
  store: 'store retailer shop',
  sale: `sell selling sale sales retail msrp rrp srp rsp mrp map list amazon amz buybox bb market shelf target
    max maximum min minimum breakeven competitor suggested recommended resale advertised catalogue ebay
    walmart shopee lazada tiktok threshold bid low high online`,
  unit: 'unit each ea piece pc single bottle',
  case: 'case carton ctn box outer crate master tray',
  pack: 'pack packs pk pks inner',
  units: 'units cases order orders ord reorder restock pcs pieces',
  quantity: 'qty quantity',
  caseSize: 'CASE_SIZE',
  packSize: 'PACK_SIZE',
  multipack: 'MULTIPACK',
  saleUnits: 'SALE_UNITS',
  catalogueCount: 'CATALOGUE_COUNT',
  taxCode: 'TAX_CODE',
  toBuy: 'TO_BUY',
  ordered: 'ORDERED',
  unitsOrdered: 'UNITS_ORDERED',
  former: 'old was previous prev former last',
  rival: `new now current next latest updated revised replacement special promo promotional offer deal normal regular
    reg base avg average adjusted
    managed estimated est projected standard std first final partner from plus lowest highest`,
  discount: 'discount disc cashback',
  rebate: 'rebate rebates',
  coupon: 'coupon coupons voucher vouchers GIFT_CARD',
  prep: 'prep prepping preparation labelling labeling label labels house',
  fee: 'fee fees',
  shipping: 'ship shipping freight frt delivery postage carriage carr courier',
  landed: 'landed',
  delivered: 'delivered DELIVERED',
  vat: 'vat',
  salesTax: 'salestax',
  tax: 'tax',
  other: `other extra extras misc miscellaneous packaging additional duty duties customs bundling handling surcharge
    surcharges levy tariff tariffs polybag polybags deposit deposits`,
  rate: '% rate rates percent percentage pct rating band',
  code: 'code',
  withoutVat: 'exvat',
  withVat: 'incvat gross',
  net: 'net nett',
  barcode: 'upc ean gtin barcode barcodes isbn ean13',
  asin: 'asin asins',
  title: 'title',
  name: 'name',
  description: 'description desc details',
  item: 'item product products goods article part',
  sku: 'sku',
  itemCode: 'itemcode',
  number: '# number no num nr codes',
  id: 'id ids',
  marketplace: 'marketplace locale',
  country: 'country site domain region',
  own: 'my your our',
  money: '$ £ € usd gbp eur cad aud cny rmb inr zar pln rs taka',
  afterDiscount: 'AFTER_DISCOUNT',
  filler: 'per of the an in for or /',
  fba: 'fba fbm mfn afn',
  foreign: `url link links image images img picture photo date time note notes category categories group department dept
    brand manufacturer mfr maker model mpn color colors colour size sizes weight dimension dimensions length width
    height volume cubic cbm profit roi margin markup gm rank bsr review reviews ratings condition status location
    pallet lot lpn class division subcategory sub tree tags comments comment total totals ext extended line subtotal
    value revenue commission referral fulfilment fulfillment stock inventory available avail availability
    hand level levels par moq expiry expiration expires exp opening local warehouse batch serial warranty
    origin hs hsn type method template lead author parent variation similar seller sellers offers msku fnsku merchant
    internal customer client currency uom measure format series range style received shipped sold cancelled balance
    week weekly month monthly year day days estimate output input proceeds amount gst account acct marker score
    confidence match flag flags reason reasons counts ratio verdict pages channel season bin storage ppc
    ad ads advertising marketing return returns change changes changed drop drops`,
} as const satisfies Readonly<Record<string, string>>;

export type TitleMeaning = keyof typeof WORDS | 'digits' | 'unknown';

const MEANINGS: ReadonlyMap<string, TitleMeaning> = new Map(
  (Object.entries(WORDS) as [keyof typeof WORDS, string][]).flatMap(([meaning, words]) =>
    words.split(/\s+/).map((word) => [word, meaning] as const),
  ),
);

/** Words that leave open which of several columns is meant: "Cost (old)", "Cost 2025", "Cost 1-99". */
const OPEN: readonly TitleMeaning[] = ['rival', 'former', 'digits', 'unknown'];

const VAT = '(?:\\d+ ?% )?(?:vat|tax|gst)(?:(?: at)? \\d+ ?%)?';
const CASE = '(?:case|carton|ctn|box|outer|crate|tray|master carton|master case|master box)s?';
const DELIVERY = '(?:shipping|delivery|freight|carriage|postage)';
const INCLUDING = '(?:inc|incl|including|inclusive)(?: of)?';
const EXCLUDING =
  '(?:not inc|not incl|not including|without|w \\/ ?o|ex|exc|excl|excluding|exclusive|before|pre|net|less|no|non)(?: of)?';

/** Phrases, each as one word, read from the top: a later one does not see the words of an earlier one. */
const PHRASES = (
  [
    [
      '(?:net of|net after|after|less) (?:discounts?|rebates?|cashback|coupons?|vouchers?|promos?|gift cards?|\\d+ ?%(?: off| discount)?)|discounted',
      'AFTER_DISCOUNT',
    ],
    ['net (?:weight|wt)', 'weight'],
    ['(?:%|percent) off|less %', 'discount'],
    [
      '^vat (?:incl?|included|inclusive)$|^vat (?:y(?: \\/)? n|yes no|applies|applicable|due|payable|chargeable)$|va ?table|vat ?able|zero rated|vat exempt',
      'TAX_CODE',
    ],
    ['s & h|p & p', 'shipping'],
    [`inbound (?:${DELIVERY}|courier)`, 'shipping'],
    ['(?:del|inbound) (?:charge|cost|fee)s?', 'shipping cost'],
    ['fba inbound', 'fba shipping'],
    ['inbound placement(?: fees?)?', 'shipping fee'],
    // What a dealer would pay for it.
    ['trade ?in(?: value| price)?|buy ?back(?: value| price)?', 'note'],
    ['per book', 'per unit'],
    ['bubble wrap', 'packaging'],
    // Of one product or of all that are bought of it.
    ['total landed|landed total', 'landed est'],
    ['^(?:need|needed|wanted)$', 'units'],
    ['reorder (?:point|pt|level|date)', 'note'],
    ['(?:qty|quantity) breaks?', 'breaks'],
    // What somebody else makes of it; a price that is suggested is another thing.
    [
      '(?:suggested|recommended|proposed|planned)(?= (?:re)?(?:order|stock|buy)(?! price| cost))',
      'per',
    ],
    ['(?:buy|order) (?:this|next) (?:week|month|time)', 'units'],
    ['(?:for )?(?:this|next|current) (?:week|month|order|time)', 'now'],
    ['gift cards?', 'GIFT_CARD'],
    [
      `${INCLUDING} (?:${VAT} (?:&|and|\\+) ${DELIVERY}|${DELIVERY} (?:&|and|\\+) ${VAT})`,
      'incvat DELIVERED',
    ],
    [
      `${INCLUDING} (?:prep (?:&|and|\\+) ${DELIVERY}|${DELIVERY} (?:&|and|\\+) prep)`,
      'inclprep DELIVERED',
    ],
    [`(?:${EXCLUDING}|plus|\\+|e) ${VAT}`, 'exvat'],
    [`(?:${INCLUDING}|with|w(?: \\/)?|after|gross of) ${VAT}`, 'incvat'],
    // Behind them, as "incl VAT (excl shipping)" says two things.
    [`${VAT} (?:ex|exc|excl|excluded|exclusive|free|extra|not incl(?:uded)?|to be added)`, 'exvat'],
    [`${VAT} (?:inc|incl|included|inclusive)`, 'incvat'],
    [`${EXCLUDING} (?:${DELIVERY}|prep)`, 'per'],
    [`${INCLUDING} ${DELIVERY}`, 'DELIVERED'],
    [`${INCLUDING} prep`, 'inclprep'],
    ['(?:to|into) (?:fba|amazon)', 'per'],
    ['cost (?:source|store|supplier|vendor|centre|center|code)', 'note'],
    ['sales tax', 'salestax'],
    ['cash back', 'cashback'],
    ['ppu', 'unit price'],
    ['(?:vat|tax) (?:code|class|band|category|type|status)', 'TAX_CODE'],
    ['tax flag', 'note'],
    ['buy ?box', 'buybox'],
    ['break ?even', 'breakeven'],
    ['price list|list price', 'list price'],
    ['cost of (?:goods?(?: sold)?|sales)', 'cogs'],
    ['bar code', 'barcode'],
    ['product codes', 'per'],
    [
      'units? of measure|(?:cases? )?(?:per|\\/) (?:pallet|layer)|price (?:method|multiple)',
      'note',
    ],
    ['on hand|in stock|on floor|soh|oos|stock (?:qty|quantity)|supplier stock', 'stock'],
    [
      '(?:country|port) of \\w+|lead times?|shelf life|ship(?:ping)? (?:(?:to|by)$|weight|template|type|method|time)|delivery (?:info|time|date)|(?:est|estimated|exp|expected) delivery',
      'note',
    ],
    [
      '(?:stock|item|product|part|style|catalogue|catalog|article|material|goods|model|sku) (?:code|codes|#|no|nr|num|number|ref)|part ?number',
      'itemcode',
    ],
    [
      'units ordered|(?:#|no|number) (?:ordered|bought|purchased)|^(?:date )?(?:ordered|bought|purchased)(?: on)?$|^order placed$',
      'UNITS_ORDERED',
    ],
    ['(?:poly ?)?bag(?:ging)? (?:fees?|costs?)', 'other cost'],
    [
      '(?:(?:qty|quantity|cases) )?on order(?: (?:qty|quantity))?|(?:qty|quantity|cases) (?:already )?(?:ordered|purchased|bought)|already (?:ordered|purchased|bought)|(?:quantity|qty) purchased',
      'ORDERED',
    ],
    [
      '(?:min|minimum|max|maximum) order(?: (?:qty|quantity))?|case minimum|qty and above|order (?:multiple|increment)',
      'moq',
    ],
    [
      '(?:(?:total|suggested|recommended) )?(?:order|reorder|buy|needed|required|req|requested|suggested|rec|test) (?:qty|quantity|units|cases)|(?:qty|quantity|units|cases|packs) (?:to (?:order|buy|purchase)|needed|required|requested)|(?:^|(?:how many|#|no|number) )to (?:order|buy)(?: (?:qty|quantity))?',
      'TO_BUY',
    ],
    ['how many', 'units'],
    [
      '(?:units|items|pieces|qty|quantity)(?: needed| required)? per (?:sale|listing|asin)|(?:amazon|asin|listing|bundle) pack(?: (?:size|qty|quantity))?|multi ?pack(?: (?:size|qty|quantity))?|pack(?: (?:size|qty|quantity))? (?:on |at )?amazon|(?:sold|sells) (?:as|in) packs of',
      'MULTIPACK',
    ],
    [
      '(?:amazon|listing|asin) (?:qty|quantity|units)|sell(?:ing)? (?:units?|pack)|(?:sold|sells) (?:as|in)|(?:set|pack) of(?! \\d)|units? of sale|^set$|(?:qty|quantity|units) (?:on |in |for )?(?:the )?(?:amazon|listing|sale)|(?:set|bundle) count|set size|(?:#|no|number) (?:of )?(?:units |items |pcs |pieces )?in (?:the |a )?(?:listing|asin|sale)|(?:#|no|number|qty|quantity|units|items|pcs) (?:in|of|per) (?:a |the )?(?:set|bundle)|^multi$',
      'SALE_UNITS',
    ],
    [
      'number of items|unit count|package (?:quantity|qty|count)|bundle(?: (?:size|qty|quantity))?',
      'CATALOGUE_COUNT',
    ],
    // "Qty in cases" counts cases; "qty in case" is what a case holds.
    [
      '(?:qty|quantity|count|#|no|number) (?:of |in )?(?:cases|cartons|ctns|boxes|outers|crates|trays)|(?:#|no|number) of (?:units|pieces|pcs)(?! (?:per|in|\\/|of|on|for|sold))',
      'cases',
    ],
    [
      `each(?:es)? (?:per|in|\\/) ${CASE}|(?:units?|items?|pcs|pieces|qty|quantity|count|bottles|#|no|number)(?: of units)? ?(?:per|in|\\/|of|a)? ?(?:a |each )?${CASE}|${CASE}(?: pack)? ?(?:size|qty|quantity|count|pack|units|pk)(?! (?:price|cost))`,
      'CASE_SIZE',
    ],
    [
      'spq|standard pack|(?:supplier )?(?:inner |pk |pack )?(?:pack|pk|inner) ?\\/? ?(?:size|qty|quantity|count|pack|units)|(?:(?:#|no|number)(?: of)?(?: (?:units|items|pcs|pieces))?|units|items|qty|pcs) (?:per|in) (?:a |the |each )?(?:pack|pk|inner)',
      'PACK_SIZE',
    ],
    ['(?:item|product) (?:desc|description|name|title)', 'title'],
  ] as const
).map(
  ([pattern, word]) => [new RegExp(`(?<![a-z])(?:${pattern})(?![a-z])`, 'g'), ` ${word} `] as const,
);

/** "costunit" as two words. */
function parted(word: string): readonly string[] {
  if (MEANINGS.has(word)) return [word];
  for (let at = 3; at <= word.length - 3; at += 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (MEANINGS.has(head) && MEANINGS.has(tail)) return [head, tail];
  }
  return [word];
}

/** The words of a title in lower case: "CostExVAT_1" is "cost ex vat 1", "v.a.t." is "vat". */
const plainWords = (title: string): string =>
  visibleText(titleOf(title))
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]{2,})([A-Z][a-z]{2,})/g, '$1 $2')
    .toLowerCase()
    .replace(/\bus\$/g, '$')
    .replace(/['’]s\b/g, '')
    .replace(/\b([a-z])\.(?=[a-z]\b)/g, '$1')
    .replace(/[%#£€$+&/]/g, ' $& ')
    .replace(/[^\p{L}\p{N}%#£€$+&/]+/gu, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .flatMap(parted)
    .join(' ');

/** "case of 12", "24 pack" */
const SIZED = /\b(?:case|carton|box|outer|pack|pk) of (\d+)|\b(\d+) ?(?:pack|pk|ct)\b/;

/** What only a role's title may say beside its own words. */
const MONEY = 'item unit filler money afterDiscount';
const PRICED = `${MONEY} trade buying supplier source own withoutVat withVat net`;

interface RoleRule {
  readonly role: ColumnRole;
  /** Of several columns the highest counts. 1: only a person can say. */
  readonly rank: number;
  /** What the title must say, and what it may say besides. */
  readonly must: readonly string[];
  readonly may: readonly string[];
}

/** Of a landed cost, which replaces every other one. */
export const LANDED_RANK = 9;

/** The role of a title is that of the first line whose words it has, and no others. */
const TITLE_RULES = (
  [
    ['product', 5, 'asin', 'item sale filler id'],
    ['barcode', 5, 'barcode', 'item supplier filler number sku'],
    ['salesTax', 5, 'salesTax', 'filler rate money'],
    ['salesTax', 1, 'tax', 'filler money'],
    ['vatRate', 5, 'vat rate', 'filler'],
    ['vatRate', 1, 'taxCode', 'filler'],
    ['vatRate', 1, 'vat', ''],
    ['vatRate', 1, 'tax rate', ''],
    ['multipack', 5, 'multipack', 'sale filler supplier'],
    ['multipack', 1, 'saleUnits', 'filler'],
    ['pack', 5, 'caseSize', 'filler pack supplier item'],
    ['pack', 4, 'packSize', 'filler supplier item'],
    ['pack', 4, 'pack supplier', 'buying filler'],
    ['pack', 4, 'pack buying', 'filler'],
    ['pack', 3, 'pack', ''],
    ['pack', 1, 'case', ''],
    ['pack', 1, 'case pack', 'filler'],
    ['ordered', 5, 'ordered', 'filler'],
    ['ordered', 1, 'unitsOrdered', ''],
    ['quantity', 5, 'toBuy', 'filler case units'],
    ['quantity', 1, 'quantity', 'filler buying own'],
    ['quantity', 1, 'units', 'filler own'],
    ['prep', 5, 'prep', `${MONEY} cost fee price`],
    ['shipping', 5, 'shipping', `${MONEY} cost`],
    ['shipping', 1, 'shipping fee', `${MONEY} cost`],
    ['shipping', 1, 'shipping price', MONEY],
    ['other', 5, 'other cost', MONEY],
    ['other', 5, 'other fee', MONEY],
    ['other', 1, 'other', MONEY],
    ['discount', 5, 'discount', 'trade supplier rate filler'],
    ['discount', 5, 'coupon rate', 'discount store filler'],
    ['discount', 1, 'coupon', 'discount store filler money'],
    ['cost', LANDED_RANK, 'landed cost', `${PRICED} price`],
    ['cost', LANDED_RANK, 'landed price', PRICED],
    ['cost', 8, 'delivered cost', `${PRICED} price`],
    ['cost', 8, 'delivered price', PRICED],
    ['cost', 7, 'cost', `${PRICED} price case pack`],
    ['cost', 6, 'price trade', `${PRICED} case pack`],
    ['cost', 6, 'price buying', `${PRICED} case pack`],
    ['cost', 6, 'price supplier', `${PRICED} case pack`],
    ['cost', 6, 'price source', `${PRICED} case pack`],
    ['cost', 6, 'price net', `${MONEY} withoutVat case pack`],
    ['cost', 6, 'price unit', `${MONEY} withoutVat withVat case pack`],
    ['cost', 5, 'price case', `${MONEY} withoutVat withVat`],
    ['cost', 5, 'price pack', `${MONEY} withoutVat withVat`],
    ['cost', 6, 'trade', 'filler money withoutVat afterDiscount'],
    ['cost', 1, 'price', `${MONEY} own withoutVat withVat store`],
    ['cost', 1, 'landed', 'filler money'],
    ['cost', 1, 'net', 'filler money'],
    ['cost', 1, 'buying', `${MONEY} own source supplier withoutVat withVat net`],
    ['cost', 1, 'afterDiscount', MONEY],
    ['cost', 1, 'withoutVat', MONEY],
    ['cost', 1, 'withVat', MONEY],
    ['cost', 1, 'unit', 'filler money'],
    ['itemNumber', 6, 'supplier itemCode', 'filler item'],
    ['itemNumber', 6, 'supplier sku', 'filler'],
    ['itemNumber', 5, 'itemCode', 'filler item'],
    ['itemNumber', 5, 'item number', 'filler'],
    ['itemNumber', 4, 'sku', 'item filler'],
    ['itemNumber', 3, 'code', ''],
    ['supplier', 6, 'supplier', 'name'],
    ['supplier', 4, 'store', 'name'],
    ['supplier', 3, 'source', 'name'],
    ['name', 6, 'title', 'item filler'],
    ['name', 5, 'name', 'item filler'],
    ['name', 4, 'description', 'item filler'],
    ['name', 3, 'item', 'filler'],
    ['name', 2, 'title supplier', 'item'],
    ['market', 5, 'marketplace', 'sale'],
    ['market', 1, 'marketplace id', 'sale'],
    ['market', 1, 'country', 'sale'],
  ] as const
).map(
  ([role, rank, must, may]): RoleRule => ({
    ...{ role, rank },
    must: must.split(' '),
    may: may.split(' '),
  }),
);

/** What a title says. */
export interface TitleReading {
  /** Its words after phrases are read, with a blank at either end. */
  readonly text: string;
  readonly meanings: ReadonlySet<TitleMeaning>;
  /** null: nothing that counts here. */
  readonly role: ColumnRole | null;
  readonly rank: number;
  /** Whether words are left that may mean another column. */
  readonly isOpen: boolean;
  /** "Cost (per case of 12)" */
  readonly size?: number;
}

/** Titles that were read: a look at a list asks for each of them many times. */
const readings = new Map<string, TitleReading>();

/** What a title says, each of its words understood or not. */
export function readTitle(title: string): TitleReading {
  const reading = readings.get(title) ?? readWords(title);
  readings.set(title, reading);
  return reading;
}

function readWords(title: string): TitleReading {
  const plain = plainWords(title);
  const sized = SIZED.exec(plain);
  let text = sized ? plain.replace(sized[0], ' case ') : plain;
  for (const [pattern, word] of PHRASES) text = text.replace(pattern, word);
  const words = text.split(/\s+/).filter((word) => word !== '');
  const meanings = new Set(
    words.map((word) => MEANINGS.get(word) ?? (/^\d/.test(word) ? 'digits' : 'unknown')),
  );
  const clear = [...meanings].filter((meaning) => !OPEN.includes(meaning));
  const isTotal = ` ${words.join(' ')} `.includes(' total cost per unit ');
  const rule = isTotal
    ? ({ role: 'cost', rank: LANDED_RANK } as const)
    : TITLE_RULES.find(
        ({ must, may }) =>
          must.every((meaning) => clear.some((word) => word === meaning)) &&
          clear.every((meaning) => must.includes(meaning) || may.includes(meaning)),
      );
  return {
    text: ` ${words.join(' ')} `,
    meanings,
    role: rule?.role ?? null,
    rank: rule?.rank ?? 0,
    isOpen: !isTotal && clear.length < meanings.size,
    ...(sized && { size: Number(sized[1] ?? sized[2]) }),
  };
}

/** What a quantity counts: units, as in "Units to buy", else cases; null: a bare "Qty" does not say it. */
export function quantityReading(title: string): QuantityReading | null {
  if ([...readTitle(title).meanings].every((meaning) => meaning === 'quantity')) return null;
  const isOfUnits =
    /\b(units?|pcs|pieces)\b/i.test(title) &&
    !/\b(case|carton|ctn|box|outer|pack)(e?s)?\b/i.test(title);
  return isOfUnits ? 'units' : 'cases';
}

/** Whether a quantity says that it counts cases: "Cases to buy", "Order (cases)". */
export const countsCases = (title: string): boolean =>
  /\b(cases?|cs|cartons?|ctns?|boxes|outers?|crates?|trays?)\b/i.test(title.replace(/_/g, ' '));

/** What a title says of VAT; null: nothing. @param isDiscounted beside a discount "net" is after it. */
export function sideIn({ meanings, text }: TitleReading, isDiscounted = false): VatSide | null {
  const isAfterDiscount =
    text.includes(' AFTER_DISCOUNT ') || (meanings.has('net') && isDiscounted);
  if (meanings.has('withoutVat')) return 'Without VAT';
  if (meanings.has('withVat')) return 'With VAT';
  return meanings.has('net') && !isAfterDiscount ? 'Without VAT' : null;
}
