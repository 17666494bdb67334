/** Lists major verticals with their sub-verticals. The order must never change, since it makes the dotted positions. */
const VERTICALS: Record<string, readonly string[]> = {
  "Apparel and Fashion": [
    "Clothing and Apparel",
    "Footwear",
    "Handbags, Purses and Other Accessories",
    "Jewelry",
    "Luxury Fashion",
    "Sports and Fitness Apparel",
    "Sports Fan Gear and Merchandise",
    "Undergarments and Lingerie",
  ],
  Automotive: ["Automotive Brands", "Auto Parts and Accessories", "Dealerships", "Vehicle Repair and Maintenance"],
  B2B: [
    "B2B",
    "Consulting, Insurance, Accounting and Legal Services",
    "CRM",
    "Enterprise Telecoms and Telephony",
    "IT, Software and Systems",
    "Shipping and Logistics",
    "Marketing and Advertising",
    "Office Hardware",
    "Office Supplies",
    "Payments",
    "Recruiting, Payroll and HR",
    "Website Hosting and Services",
  ],
  "Beauty and Personal Care": [
    "Hygiene and Toiletries",
    "Makeup, Cosmetics and Fragrances",
    "Shaving and Grooming",
    "Skin Care",
  ],
  "Computer and Consumer Electronics": [
    "Computer and Accessories",
    "Consumer Electronics",
    "Department Stores",
    "Home Audio and Video",
    "Security Equipment and Services",
    "Software",
    "Telephone and Accessories",
  ],
  Finance: [
    "Banking",
    "Buy Now Pay Later",
    "Cash Advance",
    "Credit Cards",
    "Credit History and Checks",
    "Cryptocurrency and Blockchain",
    "Digital Payments and Wallets",
    "Gift Cards",
    "Home Loans",
    "Money Transfer and Wire Services",
    "Peer to Peer Finance",
    "Personal Loans",
    "Retirement and Investment",
  ],
  "Food and Beverage": [
    "Alcohol Subscriptions",
    "Alcohol and Wine Sellers",
    "Food Delivery Service",
    "Groceries and CPG",
    "Non-alcoholic Beverages",
    "Prepared Meals and Meal Kits",
    "Restaurants",
    "Quick Service Restaurants (QSR)",
  ],
  "General Merchandise": ["Deals and Discounts", "Department Stores", "Wholesale"],
  "Gifts and Occasions": [
    "Cards and Greetings",
    "Flower Arrangements",
    "Gifts and Personalized Gifts",
    "Holidays and Seasonal Events",
  ],
  "Health and Medical": [
    "Ancestry and Genealogy",
    "Biotech and Pharmaceutical Manufacturer",
    "Health and Wellbeing Services",
    "Medical Devices, Equipment and Supplies",
    "Medical and Cosmetic Services",
    "Nutrition and Dieting",
    "OTC Vitamins and Supplements",
    "Pharmacy Retail and Wellness Stores",
    "Pharmacy (Prescription)",
    "THC and CBD",
  ],
  "Hobbies and Leisure": [
    "Camping and Outdoor Recreation",
    "Casino",
    "Dating",
    "Fantasy Sports",
    "Fitness and Exercise",
    "Lottery",
    "Nightclubs, Bars and Music Clubs",
    "Photography",
    "Sports Betting",
    "Sweepstakes",
    "Video Games",
  ],
  "Home and Decor": [
    "Crafts and Party Supplies",
    "Home Appliances and Furnishings",
    "Home Improvement and Maintenance",
  ],
  "Insurance and Warranty": [
    "General Insurance",
    "Health Insurance",
    "Home and Property Insurance",
    "Life and Income Insurance",
    "Pet Insurance",
    "Retail Insurance",
    "Ticketing Insurance",
    "Travel Insurance",
    "Vehicle Insurance",
  ],
  "Jobs and Education": [
    "Certificate and Vocational Programs",
    "College or University",
    "Driving Instruction and Education",
    "Jobs and Recruitment",
    "K-12 Learning",
    "Online Education",
    "Tutoring",
  ],
  "Loyalty and Affiliates": [
    "Free Cashback and Rewards Programs",
    "Comparison",
    "Market Research",
    "Paid Cashback and Rewards Programs",
    "Samples",
  ],
  "Marketplace and Consignment": ["Classifieds", "Consignment", "Marketplace"],
  "Media and Entertainment": [
    "Adult Entertainment",
    "Cable TV and Pay-Per-View",
    "Music and Audio",
    "News, Magazines, and Newspapers",
    "Video",
  ],
  "Non-Profits and Public Sector": ["Charities and Non-Profits", "Government", "Military", "Political Campaigns"],
  "Professional Services": [
    "Attorneys and Law Firms",
    "Consulting and Professional Advice",
    "Tax Preparation and Auditing Services",
  ],
  "Real Estate": ["Real Estate and Property", "Real Estate Agents and Brokerages"],
  "Services and Utilities": ["Internet", "Local and Local Business", "Telecoms", "Utilities"],
  "Specialty Retail": [
    "Baby, Parenting and Family",
    "Books and Literature",
    "Eyewear",
    "Hazardous or Dangerous Products",
    "Pet Goods and Supplies",
    "Sexual Wellness",
    "Sports and Outdoor Equipment",
    "Travel Goods",
  ],
  "Ticketing and Events": ["Attractions and Parks", "Event Tickets", "Local Events", "Movie Tickets"],
  "Travel, Tourism, and Transport": [
    "Accommodation",
    "Airlines",
    "Car Rental and Sharing",
    "Cruises",
    "Destination Promoters",
    "Online Travel Agency (OTA)",
    "Parking",
    "Public and Mass Transit",
    "Rideshare",
    "Timeshare",
    "Tours and Local Experiences",
  ],
};

export type Category = { id: string; name: string; path: string; taxonomyId: string };

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/**
 * Lists the categories: `name` is `Major > Sub`, `path` the slugs joined by a slash, `taxonomyId` the dotted position.
 * A category's id is made from its path, so that it stays when the list grows.
 */
export const categoryList: readonly Category[] = Object.entries(VERTICALS).flatMap(([major, subs], i) =>
  subs.map((sub, j) => {
    const path = `${slug(major)}/${slug(sub)}`;
    return {
      id: `cat_${path.replaceAll("-", "_").replace("/", "__")}`,
      name: `${major} > ${sub}`,
      path,
      taxonomyId: `${i + 1}.${j + 1}`,
    };
  }),
);
