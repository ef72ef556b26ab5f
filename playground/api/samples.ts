// Invented products that exist under every seed. The sample sheet consists of them.
import type { Market } from './fees';
import type { ProductSketch, Restriction } from './product';

interface SampleProduct extends ProductSketch {
  readonly title: string;
  readonly buy: number;
  readonly sell: number;
}

type Thing = Pick<SampleProduct, 'title' | 'category' | 'size'>;

const THINGS = {
  B0XKT7M4QN: thing('Stoneware mug, set of four', 'kitchen', 'large'),
  B0RWD92FHC: thing('Bamboo drawer organiser', 'kitchen', 'standard'),
  B0TZ4LQ8KV: thing('Wooden marble run, 90 pieces', 'toys', 'large'),
  B0VNH3C6PD: thing('Cat water fountain, 2 litres', 'pets', 'standard'),
  B0QYG58JRT: thing('Vitamin C face serum, 30 ml', 'beauty', 'small'),
  B0SPM17WXB: thing('USB-C travel charger, 65 W', 'electronics', 'small'),
  B0WLF6D9TZ: thing('Solar path lights, pack of eight', 'garden', 'large'),
  B0PKC2X7VM: thing('Cast iron grill press', 'kitchen', 'bulky'),
  B0ZTN8R4GQ: thing('Noise-cancelling headphones', 'electronics', 'standard'),
  // Real codes, because the add-on checks a connection and offers rows to try with them. Everything
  // said about them is invented.
  B07FZ8S74R: thing('Smart speaker', 'electronics', 'small'),
  B08C1W5N87: thing('Streaming stick', 'electronics', 'small'),
  B07XJ8C8F5: thing('Round smart speaker', 'electronics', 'standard'),
  B00MNV8E0C: thing('Batteries, 48 pieces', 'electronics', 'small'),
  B08N5WRWNW: thing('Thin laptop', 'electronics', 'standard'),
  B0YJD53LWH: thing('Dog puzzle feeder', 'pets', 'standard'),
  B0XBQ91PKF: thing('Building bricks, space station', 'toys', 'standard'),
  B0RHV76MZC: thing('Garden kneeler and seat', 'garden', 'bulky'),
  B0VTX4S8JD: thing('Cast aluminium teapot', 'kitchen', 'standard'),
  B0WQL35NGP: thing('Wild bird seed feeder', 'garden', 'standard'),
  B0PZC69TKR: thing('Yoga mat for two', 'garden', 'large'),
  '0975124838': thing('A Field Guide to Ponds and Streams', 'books', 'standard'),
  '081470932X': thing('Bread from a Cold Oven', 'books', 'standard'),
  '009941726X': thing('Walking the Old Railways', 'books', 'standard'),
} as const;

/** Money in hundredths, then sales per month. A product may be in both markets, at two prices. */
export const SAMPLE_PRODUCTS: readonly SampleProduct[] = [
  offer('US', 'B0XKT7M4QN', 1150, 3299, 64),
  offer('US', 'B0RWD92FHC', 980, 2449, 118),
  offer('US', 'B0TZ4LQ8KV', 1620, 4299, 41),
  offer('US', 'B0VNH3C6PD', 1380, 2999, 87),
  offer('US', 'B0QYG58JRT', 640, 1999, 150, 'needs-approval'),
  offer('US', 'B0SPM17WXB', 1890, 3499, 132),
  offer('US', 'B0WLF6D9TZ', 1990, 3399, 29),
  offer('US', 'B0PKC2X7VM', 1450, 2599, 12),
  offer('US', 'B0ZTN8R4GQ', 8800, 12999, 96, 'not-eligible'),
  offer('US', 'B07FZ8S74R', 1790, 3999, 210),
  offer('US', 'B0YJD53LWH', 780, 1899, 74),
  offer('US', 'B0XBQ91PKF', 2750, 4999, 105, 'needs-approval'),
  offer('US', '0975124838', 480, 1895, 9),
  offer('US', '081470932X', 890, 2495, 17),
  offer('US', 'B0RHV76MZC', 2380, 3699, 33, 'unknown'),
  offer('US', 'B08C1W5N87', 1480, 3499, 190),
  offer('US', 'B07XJ8C8F5', 2650, 4999, 160),
  offer('US', 'B00MNV8E0C', 790, 1849, 240, 'needs-approval'),
  offer('US', 'B08N5WRWNW', 61900, 79900, 45, 'not-eligible'),
  offer('UK', 'B0XKT7M4QN', 890, 2799, 38),
  offer('UK', 'B0TZ4LQ8KV', 1340, 3499, 22),
  offer('UK', 'B0SPM17WXB', 1190, 2799, 81),
  offer('UK', 'B0QYG58JRT', 560, 1599, 57, 'not-eligible'),
  offer('UK', 'B0VTX4S8JD', 980, 2349, 26),
  offer('UK', 'B0WQL35NGP', 560, 1749, 90),
  offer('UK', 'B0PZC69TKR', 1720, 2999, 14, 'needs-approval'),
  offer('UK', '009941726X', 420, 1499, 7),
];

function thing(
  title: string,
  category: ProductSketch['category'],
  size: ProductSketch['size'],
): Thing {
  return { title, category, size };
}

function offer(
  market: Market,
  asin: keyof typeof THINGS,
  buy: number,
  sell: number,
  salesPerMonth: number,
  restriction: Restriction = 'eligible',
): SampleProduct {
  return { asin, market, ...THINGS[asin], buy, sell, salesPerMonth, restriction };
}
