SELECT d_year, i_brand_id, i_brand, sum(ss_ext_sales_price) total
FROM date_dim, store_sales, item
WHERE d_date_sk = ss_sold_date_sk AND ss_item_sk = i_item_sk AND i_manufact_id = 128 AND d_moy = 11
GROUP BY d_year, i_brand_id, i_brand ORDER BY d_year, total DESC, i_brand_id LIMIT 100;

SELECT i_item_id, avg(ss_quantity), avg(ss_list_price), avg(ss_coupon_amt), avg(ss_sales_price)
FROM store_sales, customer_demographics, date_dim, item, promotion
WHERE ss_sold_date_sk = d_date_sk AND ss_item_sk = i_item_sk AND ss_cdemo_sk = cd_demo_sk AND ss_promo_sk = p_promo_sk
  AND cd_gender = 'M' AND cd_education_status = 'College' AND (p_channel_email = 'N' OR p_channel_event = 'N') AND d_year = 2000
GROUP BY i_item_id ORDER BY i_item_id LIMIT 100;

SELECT i_item_id, avg(cs_quantity), avg(cs_list_price), avg(cs_coupon_amt), avg(cs_sales_price)
FROM catalog_sales, customer_demographics, date_dim, item, promotion
WHERE cs_sold_date_sk = d_date_sk AND cs_item_sk = i_item_sk AND cs_bill_cdemo_sk = cd_demo_sk AND cs_promo_sk = p_promo_sk
  AND cd_gender = 'F' AND cd_education_status = 'Primary' AND p_channel_event = 'N' AND d_year = 1999
GROUP BY i_item_id ORDER BY i_item_id LIMIT 100;

SELECT i_brand, i_brand_id, i_manufact_id, sum(ss_ext_sales_price) total
FROM date_dim, store_sales, item, customer, customer_address, store
WHERE d_date_sk = ss_sold_date_sk AND ss_item_sk = i_item_sk AND i_manager_id = 8 AND d_moy = 11 AND d_year = 1998
  AND ss_customer_sk = c_customer_sk AND c_current_addr_sk = ca_address_sk AND ss_store_sk = s_store_sk AND substr(ca_zip, 1, 5) <> substr(s_zip, 1, 5)
GROUP BY i_brand, i_brand_id, i_manufact_id ORDER BY total DESC LIMIT 100;

SELECT i_item_id, s_state, avg(ss_quantity), avg(ss_list_price)
FROM store_sales, customer_demographics, date_dim, store, item
WHERE ss_sold_date_sk = d_date_sk AND ss_item_sk = i_item_sk AND ss_store_sk = s_store_sk AND ss_cdemo_sk = cd_demo_sk
  AND cd_gender = 'M' AND cd_marital_status = 'S' AND d_year = 2002
GROUP BY ROLLUP (i_item_id, s_state) ORDER BY i_item_id, s_state LIMIT 100;

SELECT d_year, i_category_id, i_category, sum(ss_ext_sales_price) total
FROM date_dim, store_sales, item
WHERE d_date_sk = ss_sold_date_sk AND ss_item_sk = i_item_sk AND i_manager_id = 1 AND d_moy = 11 AND d_year = 2000
GROUP BY d_year, i_category_id, i_category ORDER BY total DESC LIMIT 100;

SELECT s_store_name, s_store_sk, sum(CASE WHEN d_day_name = 'Sunday' THEN ss_sales_price END), sum(CASE WHEN d_day_name = 'Friday' THEN ss_sales_price END)
FROM date_dim, store_sales, store
WHERE d_date_sk = ss_sold_date_sk AND s_store_sk = ss_store_sk AND d_year = 2000
GROUP BY s_store_name, s_store_sk ORDER BY 1, 2 LIMIT 100;

SELECT c_last_name, c_first_name, ca_city, ss_ticket_number, sum(ss_coupon_amt), sum(ss_net_profit)
FROM store_sales, date_dim, store, household_demographics, customer_address, customer
WHERE ss_sold_date_sk = d_date_sk AND ss_store_sk = s_store_sk AND ss_hdemo_sk = hd_demo_sk AND ss_addr_sk = ca_address_sk
  AND ss_customer_sk = c_customer_sk AND (hd_dep_count = 4 OR hd_vehicle_count = 3) AND d_year IN (1999, 2000, 2001)
GROUP BY c_last_name, c_first_name, ca_city, ss_ticket_number ORDER BY 1, 2, 3, 4 LIMIT 100;

SELECT ss_ticket_number, count(*)
FROM store_sales, date_dim, store, household_demographics
WHERE ss_sold_date_sk = d_date_sk AND ss_store_sk = s_store_sk AND ss_hdemo_sk = hd_demo_sk AND d_dom BETWEEN 1 AND 2
  AND hd_buy_potential IN ('>10000', 'Unknown') AND hd_vehicle_count > 0 AND d_year IN (1999, 2000, 2001)
GROUP BY ss_ticket_number HAVING count(*) BETWEEN 1 AND 5 ORDER BY 2 DESC, 1 LIMIT 100;

SELECT count(*)
FROM store_sales, household_demographics, time_dim, store
WHERE ss_sold_time_sk = t_time_sk AND ss_hdemo_sk = hd_demo_sk AND ss_store_sk = s_store_sk AND t_hour = 20 AND t_minute >= 30 AND hd_dep_count = 7;

SELECT i_item_id, i_category, i_class, i_current_price, sum(ss_ext_sales_price)
FROM store_sales, item, date_dim
WHERE ss_item_sk = i_item_sk AND i_category IN ('Sports', 'Books', 'Home') AND ss_sold_date_sk = d_date_sk
  AND d_date BETWEEN DATE '1999-02-22' AND DATE '1999-03-24'
GROUP BY i_item_id, i_category, i_class, i_current_price ORDER BY 2, 3, 1 LIMIT 100;

SELECT i_item_id, i_category, i_class, i_current_price, sum(ws_ext_sales_price)
FROM web_sales, item, date_dim
WHERE ws_item_sk = i_item_sk AND i_category IN ('Music', 'Women', 'Men') AND ws_sold_date_sk = d_date_sk
  AND d_date BETWEEN DATE '2000-02-22' AND DATE '2000-03-24'
GROUP BY i_item_id, i_category, i_class, i_current_price ORDER BY 2, 3, 1 LIMIT 100;

SELECT i_item_id, i_category, i_class, i_current_price, sum(cs_ext_sales_price)
FROM catalog_sales, item, date_dim
WHERE cs_item_sk = i_item_sk AND i_category IN ('Shoes', 'Electronics', 'Children') AND cs_sold_date_sk = d_date_sk
  AND d_date BETWEEN DATE '2001-02-22' AND DATE '2001-03-24'
GROUP BY i_item_id, i_category, i_class, i_current_price ORDER BY 2, 3, 1 LIMIT 100;

SELECT ca_zip, sum(cs_sales_price)
FROM catalog_sales, customer, customer_address, date_dim
WHERE cs_bill_customer_sk = c_customer_sk AND c_current_addr_sk = ca_address_sk AND cs_sold_date_sk = d_date_sk
  AND (ca_state IN ('CA', 'WA', 'GA') OR cs_sales_price > 500) AND d_qoy = 2 AND d_year = 2001
GROUP BY ca_zip ORDER BY ca_zip LIMIT 100;

SELECT w_warehouse_name, i_item_id, sum(CASE WHEN d_date < DATE '2000-03-11' THEN inv_quantity_on_hand ELSE 0 END),
  sum(CASE WHEN d_date >= DATE '2000-03-11' THEN inv_quantity_on_hand ELSE 0 END)
FROM inventory, warehouse, item, date_dim
WHERE i_item_sk = inv_item_sk AND inv_warehouse_sk = w_warehouse_sk AND inv_date_sk = d_date_sk AND i_current_price BETWEEN 0.99 AND 1.49
  AND d_date BETWEEN DATE '2000-02-10' AND DATE '2000-04-10'
GROUP BY w_warehouse_name, i_item_id ORDER BY 1, 2 LIMIT 100;

SELECT i_category, i_class, i_brand, avg(inv_quantity_on_hand) quantity
FROM inventory, date_dim, item
WHERE inv_date_sk = d_date_sk AND inv_item_sk = i_item_sk AND d_month_seq BETWEEN 1200 AND 1211
GROUP BY ROLLUP (i_category, i_class, i_brand) ORDER BY quantity, 1, 2, 3 LIMIT 100;

WITH returned AS (
  SELECT sr_customer_sk customer, sr_store_sk store_sk, sum(sr_return_amt) total
  FROM store_returns, date_dim WHERE sr_returned_date_sk = d_date_sk AND d_year = 2000 GROUP BY sr_customer_sk, sr_store_sk)
SELECT c_customer_id
FROM returned r, store, customer
WHERE r.total > (SELECT avg(total) * 1.2 FROM returned s WHERE s.store_sk = r.store_sk) AND s_store_sk = r.store_sk AND s_state = 'TN'
  AND r.customer = c_customer_sk
ORDER BY c_customer_id LIMIT 100;

SELECT i_item_id, s_store_name, sum(ss_net_profit), sum(sr_net_loss), sum(cs_net_profit)
FROM store_sales, store_returns, catalog_sales, date_dim, store, item
WHERE d_year = 2001 AND d_date_sk = ss_sold_date_sk AND i_item_sk = ss_item_sk AND s_store_sk = ss_store_sk AND ss_customer_sk = sr_customer_sk
  AND ss_item_sk = sr_item_sk AND ss_ticket_number = sr_ticket_number AND sr_customer_sk = cs_bill_customer_sk AND sr_item_sk = cs_item_sk
GROUP BY i_item_id, s_store_name ORDER BY 1, 2 LIMIT 100;

SELECT ss_customer_sk, sum(CASE WHEN sr_return_quantity IS NOT NULL THEN (ss_quantity - sr_return_quantity) * ss_sales_price ELSE ss_quantity * ss_sales_price END) sales
FROM store_sales LEFT JOIN store_returns ON sr_item_sk = ss_item_sk AND sr_ticket_number = ss_ticket_number
GROUP BY ss_customer_sk ORDER BY sales, ss_customer_sk LIMIT 100;

SELECT avg(ss_quantity), avg(ss_ext_sales_price), avg(ss_ext_wholesale_cost), sum(ss_ext_wholesale_cost)
FROM store_sales, store, customer_demographics, household_demographics, date_dim
WHERE s_store_sk = ss_store_sk AND ss_sold_date_sk = d_date_sk AND d_year = 2001 AND ss_hdemo_sk = hd_demo_sk AND cd_demo_sk = ss_cdemo_sk
  AND cd_marital_status IN ('M', 'S', 'W') AND ss_sales_price BETWEEN 50 AND 200;

SELECT CASE WHEN ss_quantity <= 20 THEN 1 WHEN ss_quantity <= 40 THEN 2 WHEN ss_quantity <= 60 THEN 3 ELSE 4 END bucket, count(*), avg(ss_ext_discount_amt), avg(ss_net_paid)
FROM store_sales GROUP BY 1 ORDER BY 1;

SELECT channel, d_year, d_qoy, i_category, count(*), sum(price)
FROM (
  SELECT 'store' channel, d_year, d_qoy, i_category, ss_ext_sales_price price FROM store_sales, item, date_dim
  WHERE ss_store_sk IS NULL AND ss_sold_date_sk = d_date_sk AND ss_item_sk = i_item_sk
  UNION ALL
  SELECT 'web', d_year, d_qoy, i_category, ws_ext_sales_price FROM web_sales, item, date_dim
  WHERE ws_ship_customer_sk IS NULL AND ws_sold_date_sk = d_date_sk AND ws_item_sk = i_item_sk
  UNION ALL
  SELECT 'catalog', d_year, d_qoy, i_category, cs_ext_sales_price FROM catalog_sales, item, date_dim
  WHERE cs_ship_addr_sk IS NULL AND cs_sold_date_sk = d_date_sk AND cs_item_sk = i_item_sk)
GROUP BY channel, d_year, d_qoy, i_category ORDER BY 1, 2, 3, 4 LIMIT 100
