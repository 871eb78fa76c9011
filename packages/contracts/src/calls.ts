import type * as account from "./account.ts";
import type * as auth from "./auth.ts";
import type * as bundles from "./bundles.ts";
import type * as cart from "./cart.ts";
import type * as checkout from "./checkout.ts";
import type * as collections from "./collections.ts";
import type * as content from "./content.ts";
import type { Call, Endpoint } from "./endpoint.ts";
import type * as favorites from "./favorites.ts";
import type * as feed from "./feed.ts";
import type * as giftCards from "./gift-cards.ts";
import type * as hubs from "./hubs.ts";
import type * as inbox from "./inbox.ts";
import type * as leads from "./leads.ts";
import type * as orders from "./orders.ts";
import type * as payments from "./payments.ts";
import type * as problems from "./problems.ts";
import type * as products from "./products.ts";
import type * as questions from "./questions.ts";
import type * as reviews from "./reviews.ts";
import type * as search from "./search.ts";
import type * as subscriptions from "./subscriptions.ts";
import type * as surveys from "./surveys.ts";
import type * as vendors from "./vendors.ts";
import type * as wagonPass from "./wagon-pass.ts";

/**
 * What the browser needs of each endpoint at run time: its method and URL. They are type-checked against the
 * contract, so a slip does not compile, and no schema reaches the first bundle.
 */
const call = <E extends Endpoint>(method: E["method"], url: E["url"]): Call<E> => ({ method, url });

export const getAuth = call<typeof auth.getAuth>("GET", "/auth");
export const createGuest = call<typeof auth.createGuest>("POST", "/auth/guest");
export const login = call<typeof auth.login>("POST", "/auth/login");
export const register = call<typeof auth.register>("POST", "/auth/register");
export const logout = call<typeof auth.logout>("PUT", "/auth/logout");
export const homeDeliveryAt = call<typeof auth.homeDeliveryAt>("GET", "/geo/home-delivery");
export const zipPlace = call<typeof auth.zipPlace>("GET", "/geo/zip/:zipCode");
export const zipAt = call<typeof auth.zipAt>("GET", "/geo/zip");
export const forgotPassword = call<typeof auth.forgotPassword>("POST", "/auth/forgot");
export const resetPassword = call<typeof auth.resetPassword>("POST", "/auth/reset/:token");
export const updatePassword = call<typeof auth.updatePassword>("POST", "/auth/update");
export const getBridge = call<typeof auth.getBridge>("GET", "/auth/bridge");
export const putProfile = call<typeof account.putProfile>("PUT", "/account/profile");
export const exportAccount = call<typeof account.exportAccount>("POST", "/account/export");
export const deleteAccount = call<typeof account.deleteAccount>("DELETE", "/account");
export const listSessions = call<typeof account.listSessions>("GET", "/account/sessions");
export const endSession = call<typeof account.endSession>("DELETE", "/account/sessions/:id");
export const endOtherSessions = call<typeof account.endOtherSessions>("DELETE", "/account/sessions");
export const getProfile = call<typeof account.getProfile>("GET", "/account/profile");
export const listHubs = call<typeof hubs.listHubs>("GET", "/hubs");
export const getHub = call<typeof hubs.getHub>("GET", "/hubs/:id/details");
export const getHubMap = call<typeof hubs.getHubMap>("GET", "/hubs/:id/map");
export const putHubSwitch = call<typeof hubs.putHubSwitch>("PUT", "/hubs/:id/switch");
export const getFeed = call<typeof feed.getFeed>("GET", "/feed");
export const getProduct = call<typeof products.getProduct>("GET", "/products/:id");
export const listCollections = call<typeof collections.listCollections>("GET", "/collections");
export const listCollectionProducts = call<typeof collections.listCollectionProducts>(
  "GET",
  "/collections/:id/products",
);
export const getCart = call<typeof cart.getCart>("GET", "/cart");
export const putCart = call<typeof cart.putCart>("PUT", "/cart");
export const putCartDiscount = call<typeof cart.putCartDiscount>("PUT", "/cart/discount");
export const quoteCheckout = call<typeof checkout.quoteCheckout>("POST", "/checkout/quote");
export const placeOrder = call<typeof checkout.placeOrder>("POST", "/checkout");
export const resumeCheckout = call<typeof checkout.resumeCheckout>("POST", "/checkout/resume");
export const completeCheckout = call<typeof checkout.completeCheckout>("POST", "/checkout/:attemptId/complete");
export const getOrder = call<typeof orders.getOrder>("GET", "/orders/:id");
export const listVendors = call<typeof vendors.listVendors>("GET", "/vendors");
export const getVendor = call<typeof vendors.getVendor>("GET", "/vendors/:id");
export const listVendorProducts = call<typeof vendors.listVendorProducts>("GET", "/vendors/:id/products");
export const listVendorPosts = call<typeof vendors.listVendorPosts>("GET", "/vendors/:id/posts");
export const followVendor = call<typeof vendors.followVendor>("POST", "/vendors/:id/favorite");
export const unfollowVendor = call<typeof vendors.unfollowVendor>("DELETE", "/vendors/:id/favorite");
export const endorseVendor = call<typeof vendors.endorseVendor>("POST", "/vendors/:id/endorse");
export const listReviews = call<typeof reviews.listReviews>("GET", "/products/:id/reviews");
export const postReview = call<typeof reviews.postReview>("POST", "/products/:id/reviews");
export const listQuestions = call<typeof questions.listQuestions>("GET", "/products/:id/questions");
export const postQuestion = call<typeof questions.postQuestion>("POST", "/products/:id/questions");
export const listSuggestions = call<typeof products.listSuggestions>("GET", "/products/:id/suggestions");
export const favoriteProduct = call<typeof favorites.favoriteProduct>("POST", "/products/:id/favorite");
export const unfavoriteProduct = call<typeof favorites.unfavoriteProduct>("DELETE", "/products/:id/favorite");
export const listFavoriteProducts = call<typeof favorites.listFavoriteProducts>("GET", "/favorites/products");
export const listFavoriteVendors = call<typeof favorites.listFavoriteVendors>("GET", "/favorites/vendors");
export const listAllFavoriteVendors = call<typeof favorites.listAllFavoriteVendors>("GET", "/favorites/all-vendors");
export const listMostOrdered = call<typeof favorites.listMostOrdered>("GET", "/favorites/most-ordered");
export const listUsuals = call<typeof favorites.listUsuals>("GET", "/favorites/usuals");
export const autoComplete = call<typeof search.autoComplete>("GET", "/search/new/auto-complete/:q");
export const searchProducts = call<typeof search.searchProducts>("GET", "/search/new/query/:q");
export const searchHubVendors = call<typeof search.searchHubVendors>("GET", "/search/vendors/:q");
export const searchVendors = call<typeof search.searchVendors>("GET", "/vendors/search/:q");
export const listBundles = call<typeof bundles.listBundles>("GET", "/bundles");
export const listSubscribedBundles = call<typeof bundles.listSubscribedBundles>("GET", "/bundles/subscribed");
export const getBundle = call<typeof bundles.getBundle>("GET", "/bundles/:id");
export const subscribeBundle = call<typeof bundles.subscribeBundle>("POST", "/bundles/:id");
export const unsubscribeBundle = call<typeof bundles.unsubscribeBundle>("DELETE", "/bundles/:id");
export const listBanners = call<typeof cart.listBanners>("GET", "/banners/");
export const listOrders = call<typeof orders.listOrders>("GET", "/orders");
export const editOrder = call<typeof orders.editOrder>("POST", "/orders/edit-order");
export const listPaymentMethods = call<typeof payments.listPaymentMethods>("GET", "/payment-methods");
export const addPaymentMethod = call<typeof payments.addPaymentMethod>("POST", "/payment-methods");
export const completePaymentMethod = call<typeof payments.completePaymentMethod>("POST", "/payment-methods/complete");
export const resumePurchase = call<typeof payments.resumePurchase>("POST", "/purchases/resume");
export const completePurchase = call<typeof payments.completePurchase>("POST", "/purchases/:paymentId/complete");
export const removePaymentMethod = call<typeof payments.removePaymentMethod>("DELETE", "/payment-methods/:id");
export const setDefaultPaymentMethod = call<typeof payments.setDefaultPaymentMethod>(
  "PUT",
  "/payment-methods/:id/default",
);
export const getSurvey = call<typeof surveys.getSurvey>("GET", "/orders/:id/survey/");
export const showSurvey = call<typeof surveys.showSurvey>("POST", "/orders/:id/survey/shown");
export const answerSurvey = call<typeof surveys.answerSurvey>("POST", "/orders/:id/survey");
export const buyGiftCard = call<typeof giftCards.buyGiftCard>("POST", "/gift-cards");
export const listGiftCards = call<typeof giftCards.listGiftCards>("GET", "/gift-cards");
export const resendGiftCard = call<typeof giftCards.resendGiftCard>("POST", "/gift-cards/:id/resend");
export const redeemGiftCard = call<typeof giftCards.redeemGiftCard>("POST", "/gift-cards/redeem");
export const getWagonPass = call<typeof wagonPass.getWagonPass>("GET", "/wagon-pass");
export const buyWagonPass = call<typeof wagonPass.buyWagonPass>("POST", "/wagon-pass");
export const cancelWagonPass = call<typeof wagonPass.cancelWagonPass>("DELETE", "/wagon-pass");
export const getReferrals = call<typeof account.getReferrals>("GET", "/referrals");
export const listSubscriptions = call<typeof subscriptions.listSubscriptions>("GET", "/subscriptions");
export const subscribe = call<typeof subscriptions.subscribe>("POST", "/subscriptions");
export const unsubscribe = call<typeof subscriptions.unsubscribe>("DELETE", "/subscriptions");
export const skipDelivery = call<typeof subscriptions.skipDelivery>("POST", "/subscriptions/skip");
export const pauseSubscription = call<typeof subscriptions.pauseSubscription>("POST", "/subscriptions/pause");
export const getSubscriptionStatus = call<typeof subscriptions.getSubscriptionStatus>("GET", "/subscriptions/status");
export const putSubscriptionStatus = call<typeof subscriptions.putSubscriptionStatus>("PUT", "/subscriptions/status");
export const getDefaultTip = call<typeof subscriptions.getDefaultTip>("GET", "/subscriptions/tip");
export const putDefaultTip = call<typeof subscriptions.putDefaultTip>("PUT", "/subscriptions/tip");
export const listRecommendations = call<typeof subscriptions.listRecommendations>(
  "GET",
  "/subscriptions/recommendations",
);
export const listNextBoxes = call<typeof subscriptions.listNextBoxes>("GET", "/subscriptions/next-boxes");
export const getChallenge = call<typeof problems.getChallenge>("GET", "/problems/challenge");
export const contactUs = call<typeof problems.contactUs>("POST", "/problems/contact-us");
export const createLead = call<typeof leads.createLead>("POST", "/leads");
export const getContent = call<typeof content.getContent>("GET", "/content/:slug");
export const listFaq = call<typeof content.listFaq>("GET", "/faq");
export const listBlogPosts = call<typeof content.listBlogPosts>("GET", "/blog-posts");
export const getBlogPost = call<typeof content.getBlogPost>("GET", "/blog-posts/:id");
export const listThreads = call<typeof inbox.listThreads>("GET", "/inbox");
export const getThread = call<typeof inbox.getThread>("GET", "/inbox/:id");
export const replyToThread = call<typeof inbox.replyToThread>("POST", "/inbox/:id/reply");
export const readThread = call<typeof inbox.readThread>("POST", "/inbox/:id/read");
export const messageVendor = call<typeof inbox.messageVendor>("POST", "/vendors/:id/messages");
export const reportProblem = call<typeof problems.reportProblem>("POST", "/problems/orders/:id");
