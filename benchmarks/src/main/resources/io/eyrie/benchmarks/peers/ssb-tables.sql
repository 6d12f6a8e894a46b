CREATE TABLE dates (
  d_datekey integer, d_year integer, d_yearmonthnum integer, d_yearmonth varchar, d_weeknuminyear integer, d_dayofweek varchar);

INSERT INTO dates
SELECT CAST(date_format(d, '%Y%m%d') AS integer), CAST(year(d) AS integer), CAST(year(d) * 100 + month(d) AS integer), date_format(d, '%b%Y'),
  CAST((day_of_year(d) - 1) / 7 + 1 AS integer), date_format(d, '%W')
FROM UNNEST(sequence(DATE '1992-01-01', DATE '1998-12-31', INTERVAL '1' DAY)) AS days (d);

CREATE TABLE customer (
  c_custkey bigint, c_name varchar, c_city varchar, c_nation varchar, c_region varchar, c_mktsegment varchar);

INSERT INTO customer
SELECT c_custkey / 5, c_name, rpad(n_name, 9, ' ') || CAST(c_custkey / 5 % 10 AS varchar), n_name, r_name, c_mktsegment
FROM source.customer JOIN source.nation ON c_nationkey = n_nationkey JOIN source.region ON n_regionkey = r_regionkey
WHERE c_custkey % 5 = 0;

CREATE TABLE supplier (
  s_suppkey bigint, s_name varchar, s_city varchar, s_nation varchar, s_region varchar);

INSERT INTO supplier
SELECT s_suppkey / 5, s_name, rpad(n_name, 9, ' ') || CAST(s_suppkey / 5 % 10 AS varchar), n_name, r_name
FROM source.supplier JOIN source.nation ON s_nationkey = n_nationkey JOIN source.region ON n_regionkey = r_regionkey
WHERE s_suppkey % 5 = 0;

CREATE TABLE part (
  p_partkey bigint, p_name varchar, p_mfgr varchar, p_category varchar, p_brand1 varchar, p_size integer, p_container varchar);

INSERT INTO part
SELECT p_partkey, p_name, 'MFGR#' || substr(p_brand, 7, 1), 'MFGR#' || substr(p_brand, 7, 2),
  'MFGR#' || substr(p_brand, 7, 2) || CAST(p_partkey % 40 + 1 AS varchar), p_size, p_container
FROM source.part;

CREATE TABLE lineorder (
  lo_orderkey bigint, lo_linenumber integer, lo_custkey bigint, lo_partkey bigint, lo_suppkey bigint, lo_orderdate integer, lo_orderpriority varchar,
  lo_quantity integer, lo_extendedprice bigint, lo_discount integer, lo_revenue bigint, lo_supplycost bigint, lo_shipmode varchar, lo_month varchar);

INSERT INTO lineorder
SELECT l_orderkey, l_linenumber, (o_custkey + 4) / 5, l_partkey, (l_suppkey + 4) / 5, CAST(date_format(o_orderdate, '%Y%m%d') AS integer), o_orderpriority,
  CAST(l_quantity AS integer), CAST(round(l_extendedprice * 100) AS bigint), CAST(round(l_discount * 100) AS integer),
  CAST(round(l_extendedprice * (1 - l_discount) * 100) AS bigint), CAST(round(l_extendedprice / l_quantity * 60) AS bigint), l_shipmode,
  date_format(o_orderdate, '%Y-%m')
FROM source.lineitem JOIN source.orders ON l_orderkey = o_orderkey;
